"""The vocabulary: what a memory is called, holds and how it changes. Standard library only."""
