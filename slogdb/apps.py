"""Django's hook to the Celery application, to which the site's shared tasks belong."""

from importlib import import_module

from django.apps import AppConfig


class SlogdbConfig(AppConfig):
    name = "slogdb"

    def ready(self) -> None:
        """Configure Celery with Django, but not in slogdb.local alone: it takes 40 MB. Watch for slow statements."""
        import_module("slogdb.celery")
        import_module("slogdb.slow_statements").watch_statements()
