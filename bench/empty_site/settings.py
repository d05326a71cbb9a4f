"""The site's settings with only the view of bench.empty_site.wsgi."""

from slogdb.settings import *  # noqa: F403 - settings are a namespace

ROOT_URLCONF = "bench.empty_site.wsgi"
