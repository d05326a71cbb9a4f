"""The one Django app of the site, and Django's admin behind the site's own way of signing in."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ResultsConfig(AppConfig):
    name = "results"
    verbose_name = "Results"
    default = True

    def ready(self) -> None:
        """Register the kinds of results with their tables, receivers of signals, and checks."""
        import_module("results.kinds.registry")
        import_module("results.submissions.intake.rejudge")
        import_module("results.core.security.events")
        import_module("results.operations.migration_history")
        import_module("results.operations.unit_key")


class GuardedAdminConfig(AdminConfig):
    default = False
    default_site = "results.core.admin.GuardedSite"
