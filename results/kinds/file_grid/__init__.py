"""Grids of iozone on a pool: rates by operation, record size and file size."""
