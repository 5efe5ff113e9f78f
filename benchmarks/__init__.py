"""Measurements, apart from the tests; each is run as `python -m benchmarks.<name>` from the top folder."""
