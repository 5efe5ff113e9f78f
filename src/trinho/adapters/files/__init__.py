"""Entries, audit and locks as plain files under one root."""
