"""Conventions shared by all endpoints of the API."""
