"""The agents' clients: where each keeps its settings, and edits of them that leave every other byte alone."""
