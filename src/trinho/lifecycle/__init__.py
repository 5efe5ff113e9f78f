"""Pure rules of keeping memory good."""
