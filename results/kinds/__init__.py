"""Kinds of results: how each is measured, read, checked and charted."""
