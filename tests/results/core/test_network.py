from django.test import RequestFactory

from results.core.security.digests import digest_network
from results.core.security.rate_limits import sender_address


def address(remote, forwarded=None):
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return sender_address(RequestFactory().get("/", REMOTE_ADDR=remote, **headers))


def test_without_proxies_only_the_connection_counts(settings):
    settings.TRUSTED_PROXY_COUNT = 0
    assert address("192.0.2.1", "198.51.100.9") == "192.0.2.1"


def test_the_outermost_trusted_proxy_determines_the_address(settings, subtests):
    for forwarded, count, expected in [
        ("198.51.100.9", 1, "198.51.100.9"),
        ("203.0.113.66, 198.51.100.9", 1, "198.51.100.9"),  # the first one is the client's own word
        ("203.0.113.66, 198.51.100.9, 10.0.0.2", 2, "198.51.100.9"),
        ("2001:db8::1", 1, "2001:db8::1"),
        ("unknown", 1, "10.0.0.1"),
        (None, 1, "10.0.0.1"),
    ]:
        with subtests.test(forwarded=forwarded):
            settings.TRUSTED_PROXY_COUNT = count
            assert address("10.0.0.1", forwarded) == expected


def test_a_socket_has_no_address():
    assert address("") == ""
    assert digest_network("") == ""


def test_a_network_is_a_24_or_a_48(subtests):
    for address, other, is_same in [
        ("192.0.2.1", "192.0.2.254", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("2001:db8:1::1", "2001:db8:1:ffff::2", True),
        ("2001:db8:1::1", "2001:db8:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.7", True),
        ("::ffff:192.0.2.1", "::ffff:198.51.100.1", False),
    ]:
        with subtests.test(address=address, other=other):
            assert (digest_network(address) == digest_network(other)) is is_same


def test_the_digest_depends_on_the_key(settings):
    before = digest_network("192.0.2.1")
    settings.UNIT_KEY = "another key of this length, for this test"
    assert digest_network("192.0.2.1") != before
