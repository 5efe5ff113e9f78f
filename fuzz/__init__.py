"""Fuzzing with laws: what must hold for any bytes, and a search for bytes for which it doesn't."""
