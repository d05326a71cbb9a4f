"""Latency by block size: figures, charts and tables of what drives are ranked by."""
