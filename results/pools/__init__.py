"""Pools that results are about."""
