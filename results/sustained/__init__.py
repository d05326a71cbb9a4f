"""The boards of sustained IOPS: devices that were written in the same way, in the order of what lasts."""
