"""IOPS or latency over time: what a device sustains, against its first minute and the figure on its box."""
