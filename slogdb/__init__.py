"""Wiring: settings, URLs, and the entry points of web server and queue. No domain logic belongs here."""

from slogdb.celery import app as celery_app

__all__ = ["celery_app"]
