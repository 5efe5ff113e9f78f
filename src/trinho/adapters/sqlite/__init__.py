"""The index and the ledger in SQLite, by apsw."""
