"""Small stages from a query to the entries that answer it."""
