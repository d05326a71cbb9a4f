"""Submissions: a paste becomes stored results."""
