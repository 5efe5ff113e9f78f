"""Other memories on the same questions, in one run: `python -m benchmarks.rivals`."""
