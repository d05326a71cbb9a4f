"""Exports: all public data as files."""
