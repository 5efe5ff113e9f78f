"""Hooks of agents' clients: a path of its own, as short as can be, that never stands in the way of a turn."""
