"""Each folder implements ports with one technology and knows no sibling."""
