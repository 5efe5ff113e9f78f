"""git's folders, read as git lays them out; its configuration is read and written by the git command."""
