"""The web server's entry point: Django behind the page cache."""

import gc
import os

from django.core.wsgi import get_wsgi_application

from slogdb import telemetry

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
telemetry.start()

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402 - what follows needs Django to be set up

from results.busy import answer_busy  # noqa: E402
from results.data_version import VersionWatch  # noqa: E402
from results.public import PARAMETERS  # noqa: E402
from slogdb.access import AccessLog, to_stderr  # noqa: E402
from slogdb.bodies import WholeBodies  # noqa: E402
from slogdb.build import build_id  # noqa: E402
from slogdb.errands import Errands  # noqa: E402
from slogdb.hosts import is_own_host  # noqa: E402
from slogdb.one_at_a_time import OneAtATime  # noqa: E402
from slogdb.page_cache import PageCache  # noqa: E402
from slogdb.slow_senders import SlowSenders  # noqa: E402
from slogdb.waiting_room import WaitingRoom  # noqa: E402

MOST_BODIES = 12  # at once, so that of 16 threads some are left for those who only read
MOST_OF_ONE = 4
MOST_WAITING = 12  # for Django or a page, bodies counted in: the same for those who ask for what is kept

senders = SlowSenders(
    patience_s=settings.BODY_TIME_LIMIT_S,
    most=MOST_BODIES,
    most_of_one=MOST_BODIES if settings.TRUSTED_PROXY_COUNT else MOST_OF_ONE,  # a proxy sends for everybody
)
room = WaitingRoom(most=MOST_WAITING, others=senders.count)
one_at_a_time = OneAtATime(Errands(django_application), room=room)
page_cache = PageCache(
    one_at_a_time,
    VersionWatch(in_turn=one_at_a_time.turn),
    build=build_id(),
    parameters=PARAMETERS,
    only_https=settings.IS_HTTPS,
    is_host=is_own_host,
    room=room,
    busy=answer_busy,
)
access_log = AccessLog(
    page_cache,
    believes=settings.TRUSTED_PROXY_COUNT > 0,
    is_json=settings.LOG_FORMAT == "json",
    writes=to_stderr if settings.WRITES_ACCESS_LOG else None,
)
application = WholeBodies(access_log, senders, most_bytes=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
gc.freeze()  # modules stay for good: looking through them held up a request for 70 ms now and then
