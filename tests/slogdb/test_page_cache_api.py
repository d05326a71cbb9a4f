"""What the page cache does otherwise below /api/."""

from tests.slogdb.cached_site import PUBLIC, Site


def test_below_the_api_every_parameter_makes_a_page_of_its_own():
    site = Site()
    for url in ("/api/v1/?class=hdd", "/api/v1/?class=nvme&class=hdd", "/api/v1/?class=hdd&class=hdd"):
        site.ask(url)
    assert len(site.calls) == 1
    for url in ("/api/v1/?class=hdd&colour=red", "/api/v1/?class=hdd&colour="):
        site.ask(url)
    assert len(site.calls) == 3


def test_below_the_api_all_fields_that_are_asked_for_make_the_page():
    site = Site()
    for url in ("/api/v1/?fields=a&fields=b", "/api/v1/?fields=b", "/api/v1/?fields=a,b"):
        site.ask(url)
    assert [call["QUERY_STRING"] for call in site.calls] == ["fields=a&fields=b", "fields=b"]


def test_what_was_said_to_one_reader_is_not_kept_for_the_next():
    site = Site(headers=[*PUBLIC, ("RateLimit", '"a";r=1;t=2')])
    assert site.ask().headers["RateLimit"] == '"a";r=1;t=2'
    assert "RateLimit" not in site.ask().headers
