"""The web server's entry point: Django behind the page cache."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from slogdb import telemetry

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
os.environ.setdefault("SLOGDB_STATEMENT_TIMEOUT", "30")  # s; the statements of workers may take longer
telemetry.start()

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - what follows needs Django to be set up

from results.data_version import VersionWatch  # noqa: E402
from results.public import PARAMETERS  # noqa: E402
from slogdb.access import AccessLog, to_stderr  # noqa: E402
from slogdb.page_cache import PageCache  # noqa: E402

page_cache = PageCache(django_application, VersionWatch(), build=settings.BUILD, parameters=PARAMETERS)
application = AccessLog(
    page_cache,
    believes=settings.TRUSTED_PROXY_COUNT > 0,
    is_json=settings.LOG_FORMAT == "json",
    writes=to_stderr if settings.WRITES_ACCESS_LOG else None,
)
gc.freeze()  # modules stay in memory: scanning them delayed a request by 70 ms now and then
