"""Django's admin with the site's own door (slogdb.admin_site); apart, as models can't be imported this early."""

from django.contrib.admin.apps import AdminConfig


class GuardedAdminConfig(AdminConfig):
    default_site = "slogdb.admin_site.GuardedSite"
