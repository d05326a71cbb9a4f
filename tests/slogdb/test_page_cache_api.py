"""What the page cache does otherwise below /api/."""

from tests.slogdb.cached_site import PUBLIC, Site


def test_every_api_parameter_is_part_of_the_key():
    site = Site()
    for url in ("/api/v1/?class=hdd", "/api/v1/?class=nvme&class=hdd", "/api/v1/?class=hdd&class=hdd"):
        site.request(url)
    assert len(site.calls) == 3
    for url in ("/api/v1/?class=hdd&colour=red", "/api/v1/?class=hdd&colour="):
        site.request(url)
    assert len(site.calls) == 5


def test_all_values_of_an_api_parameter_are_part_of_the_key():
    site = Site()
    for url in ("/api/v1/?fields=a&fields=b", "/api/v1/?fields=b", "/api/v1/?fields=a,b"):
        site.request(url)
    assert [call["QUERY_STRING"] for call in site.calls] == ["fields=a&fields=b", "fields=b", "fields=a,b"]


def test_per_reader_headers_are_not_cached():
    site = Site(headers=[*PUBLIC, ("RateLimit", '"a";r=1;t=2')])
    assert site.request().headers["RateLimit"] == '"a";r=1;t=2'
    assert "RateLimit" not in site.request().headers


def test_requests_for_all_rows_bypass_the_cache():
    site = Site()
    for accepted in ("application/json", "text/csv", "application/x-ndjson", "text/html"):
        site.request("/api/v1/devices/", HTTP_ACCEPT=accepted)
    assert len(site.calls) == 3
    assert site.request("/api/v1/devices/").headers["Vary"] == "Accept, Accept-Encoding"


def test_repeated_api_parameters_are_part_of_the_key():
    site = Site()
    for query in ("class=hdd&class=nvme", "class=nvme&class=hdd"):
        site.request(f"/api/v1/devices/?{query}")
    assert len(site.calls) == 2
