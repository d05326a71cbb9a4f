"""The web server's entry point: Django behind the page cache."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - what follows needs Django to be set up

from results.data_version import VersionWatch  # noqa: E402
from results.public import PARAMETERS  # noqa: E402
from slogdb.build import build_id  # noqa: E402
from slogdb.page_cache import PageCache  # noqa: E402

application = PageCache(
    django_application,
    VersionWatch(),
    build=build_id(),
    parameters=PARAMETERS,
    only_https=settings.IS_HTTPS,
)
