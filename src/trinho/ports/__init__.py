"""What the use cases need of the world, as small protocols; adapters implement them."""
