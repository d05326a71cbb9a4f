"""Wiring: settings, URLs, entry points of the web server and the queue. No domain logic."""

__version__ = "1.0.0"  # CHANGELOG.md has a section for it, and the tag v1.0.0 is its commit
