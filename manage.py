#!/usr/bin/env python3
"""Django's command line: `manage.py help` lists the commands."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from results.management.full_disk import explain, is_of_full_disk
from slogdb import env
from slogdb.version import version

NOT_RUNNING = (
    "manage.py doesn't know the site's database and keys: bin/serve isn't running. Start it or, if the site doesn't "
    "start, bin/serve --only-servers. Without bin/serve, set what .env.example lists. Nothing has been done."
)
HINT = (
    "While bin/serve runs, its settings are found; if the site doesn't start, run bin/serve --only-servers. "
    ".env.example lists all settings."
)

if __name__ == "__main__":
    if sys.argv[1:] in (["version"], ["--version"]):  # Django would print its own
        sys.stdout.write(f"slogdb {version()}\n")
        sys.exit()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
    env.load_local_environment()
    env.use_owner()
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"{error}\n{HINT}" if os.environ.get("DATABASE_URL") else NOT_RUNNING)
    except OperationalError as error:
        if not is_of_full_disk(error):
            raise
        sys.exit(explain(error))
