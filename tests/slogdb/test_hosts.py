import pytest

from slogdb.hosts import is_own_host


@pytest.fixture(autouse=True)
def nothing_known():
    is_own_host.cache_clear()
    yield
    is_own_host.cache_clear()


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("slogdb.example", True),
        ("SLOGDB.example:8443", True),
        ("slogdb.example.", True),
        ("evil.example", False),
        ("slogdb.example.evil.example", False),
        ("slogdb.example/evil", False),
        ("", False),
    ],
)
def test_a_host_is_ours_as_django_says(settings, host, is_own):
    settings.ALLOWED_HOSTS = ["slogdb.example"]
    assert is_own_host(host) is is_own
