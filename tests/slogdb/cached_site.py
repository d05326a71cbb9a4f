"""An application that counts its calls, behind a page cache."""

from urllib.parse import unquote
from wsgiref.util import setup_testing_defaults

from results.core.public import MARK, VERSION
from results.core.read_only import ENVIRON_KEY
from slogdb.page_cache import PageCache

KEYS = {"mark": MARK, "version_key": VERSION, "read_only_key": ENVIRON_KEY}
PUBLIC = [("Content-Type", "text/html"), (MARK, "1"), ("Vary", "Cookie")]
HOSTS = {"127.0.0.1", "localhost:8000"}


class Watch:
    def __init__(self):
        self.version = 1
        self.read_only_reason = ""

    def current(self):
        return self.version


class Site:
    """An application that counts its calls, behind a cache."""

    def __init__(self, *, headers=PUBLIC, status="200 OK", body=b"<p>page</p>" * 100, **options):
        self.headers, self.status, self.body = headers, status, body
        self.calls = []
        self.watch = Watch()
        self.cache = PageCache(
            self._serve,
            self.watch,
            build="b1",
            is_accepted=lambda environ: environ["HTTP_HOST"] in HOSTS,
            carries_key=lambda header: header == "Bearer key",
            **KEYS,
            **options,
        )

    def _serve(self, environ, start_response):
        self.calls.append(environ)
        start_response(self.status, list(self.headers))
        return [self.body] if isinstance(self.body, bytes) else self.body

    def request(self, url="/", *, method="GET", **environ):
        path, _, query = url.partition("?")
        environ = {
            "PATH_INFO": unquote(path, "latin-1"),
            "QUERY_STRING": query,
            "REQUEST_METHOD": method,
            **environ,
        }
        setup_testing_defaults(environ)
        answer = Answer()
        answer.chunks = self.cache(environ, answer.start)
        return answer


class Answer:
    def start(self, status, headers):
        self.status, self.headers = status, dict(headers)
        assert len(self.headers) == len(headers)

    @property
    def body(self):
        return b"".join(self.chunks)
