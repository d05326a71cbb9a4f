"""Benchmarks that print ratios to a floor measured in the same run: `bin/bench` runs them."""
