"""The web server's entry point: Django behind the page cache."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from slogdb import telemetry
from slogdb.granian import limit_requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
limit_requests()
telemetry.start()

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - what follows needs Django to be set up

from results.api.keys import carries_key  # noqa: E402
from results.core.data_version import VersionWatch  # noqa: E402
from results.core.public import MARK, VERSION  # noqa: E402
from results.core.read_only import ENVIRON_KEY  # noqa: E402
from results.core.security.hosts import is_accepted  # noqa: E402
from results.operations.unit_key import check_key  # noqa: E402
from slogdb.page_cache import PageCache  # noqa: E402

check_key()
application = PageCache(
    django_application,
    VersionWatch(),
    build=settings.BUILD,
    is_accepted=is_accepted,
    carries_key=carries_key,
    mark=MARK,
    version_key=VERSION,
    read_only_key=ENVIRON_KEY,
)
gc.freeze()  # modules are never freed: scanning them occasionally delayed a request by 70 ms
