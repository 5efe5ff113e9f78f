"""The ports in plain dictionaries: the reference that the other adapters are held against."""
