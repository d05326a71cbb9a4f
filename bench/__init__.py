"""Benchmarks, run by `bin/bench`, that print ratios to a floor measured in the same run."""
