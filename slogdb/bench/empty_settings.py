"""The site's settings with the one view of slogdb.bench.empty."""

from slogdb.settings import *  # noqa: F403 - settings are a namespace

ROOT_URLCONF = "slogdb.bench.empty"
