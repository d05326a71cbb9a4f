"""Wiring: settings, URLs, entry points of the web server and the queue. No domain logic."""
