"""Imports of many old results: bulk imports and forum threads."""
