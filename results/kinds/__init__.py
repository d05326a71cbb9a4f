"""Kinds of results: what is measured, read, checked and drawn of each."""
