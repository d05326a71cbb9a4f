"""Django's hooks: to the Celery application, to which the site's shared tasks belong, and to the static files."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class SlogdbConfig(AppConfig):
    name = "slogdb"

    def ready(self) -> None:
        """Configure Celery with Django, but not in slogdb.local alone: it takes 40 MB."""
        import_module("slogdb.celery")


class OwnStaticFilesConfig(StaticFilesConfig):
    """Without those of the API framework's pages, which the site doesn't have."""

    ignore_patterns = (*StaticFilesConfig.ignore_patterns, "rest_framework")
