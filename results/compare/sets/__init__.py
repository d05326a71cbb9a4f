"""Runs on a pool, by log device, sync mode and threads."""
