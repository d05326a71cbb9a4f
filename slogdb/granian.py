"""`python -m slogdb.granian`: Granian with the site loaded before it forks, so that its processes share memory."""

import gc
import os
from runpy import run_module

import django
from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string


def limit_requests() -> None:
    """Limit statements and reads of a web process, in s, where the environment doesn't; call before settings load."""
    os.environ.setdefault("SLOGDB_STATEMENT_TIMEOUT", "30")  # the statements of workers may take longer
    os.environ.setdefault("SLOGDB_READ_DEADLINE", "5")  # workers and commands have other limits, or none


def load_site() -> None:
    """Import what slogdb.wsgi needs; it connects to nothing."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
    limit_requests()
    django.setup()
    for middleware in settings.MIDDLEWARE:
        import_string(middleware)
    reverse("home")  # imports the pages
    for name in ("known_migrations", "required_migrations"):  # which /healthz asks for
        import_string(f"results.operations.migration_history.{name}")()
    gc.freeze()  # garbage collection would copy the pages of memory that processes share


if __name__ == "__main__":
    load_site()
    run_module("granian", run_name="__main__")
