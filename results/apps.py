"""The one Django app of the site, and Django's admin behind the site's own way of signing in."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class ResultsConfig(AppConfig):
    name = "results"
    verbose_name = "Results"
    default = True


class GuardedAdminConfig(AdminConfig):
    default = False
    default_site = "results.core.admin.GuardedSite"
