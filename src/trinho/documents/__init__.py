"""Markdown ⇄ entry, byte-exact and without I/O."""
