"""What the page cache does otherwise below /api/."""

from tests.slogdb.cached_site import PUBLIC, Site


def test_below_the_api_every_parameter_makes_a_page_of_its_own():
    site = Site()
    for url in ("/api/v1/?class=hdd", "/api/v1/?class=nvme&class=hdd", "/api/v1/?class=hdd&class=hdd"):
        site.ask(url)
    assert len(site.calls) == 3
    for url in ("/api/v1/?class=hdd&colour=red", "/api/v1/?class=hdd&colour="):
        site.ask(url)
    assert len(site.calls) == 5


def test_below_the_api_all_fields_that_are_asked_for_make_the_page():
    site = Site()
    for url in ("/api/v1/?fields=a&fields=b", "/api/v1/?fields=b", "/api/v1/?fields=a,b"):
        site.ask(url)
    assert [call["QUERY_STRING"] for call in site.calls] == ["fields=a&fields=b", "fields=b", "fields=a,b"]


def test_what_was_said_to_one_reader_is_not_kept_for_the_next():
    site = Site(headers=[*PUBLIC, ("RateLimit", '"a";r=1;t=2')])
    assert site.ask().headers["RateLimit"] == '"a";r=1;t=2'
    assert "RateLimit" not in site.ask().headers


def test_who_accepts_all_rows_of_the_api_is_not_given_a_page_of_them_from_the_cache():
    site = Site()
    for accepted in ("application/json", "text/csv", "application/x-ndjson", "text/html"):
        site.ask("/api/v1/devices/", HTTP_ACCEPT=accepted)
    assert len(site.calls) == 3
    assert site.ask("/api/v1/devices/").headers["Vary"] == "Accept, Accept-Encoding"


def test_the_values_of_a_parameter_of_the_api_make_the_page():
    site = Site()
    for query in ("class=hdd&class=nvme", "class=nvme&class=hdd"):
        site.ask(f"/api/v1/devices/?{query}")
    assert len(site.calls) == 2
