"""Doors: each translates, none decides, none knows another."""
