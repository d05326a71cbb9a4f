"""Copies of the whole database that were proved to be readable, and putting one back."""
