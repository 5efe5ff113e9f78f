"""A pure decision: who may do what. No clock, no disk."""
