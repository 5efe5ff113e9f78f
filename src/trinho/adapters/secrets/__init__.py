"""Looking for secrets: our own rules and those of kingfisher."""
