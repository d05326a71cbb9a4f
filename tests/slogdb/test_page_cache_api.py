"""What the page cache does otherwise below /api/."""

from tests.slogdb.cached_site import PUBLIC, Site


def test_every_api_parameter_with_all_its_values_is_part_of_the_key():
    classes = ("class=hdd", "class=nvme&class=hdd", "class=hdd&class=hdd", "class=hdd&colour=")
    queries = [*classes, "class=hdd&colour=red", "fields=a&fields=b", "fields=b", "fields=a,b"]
    site = Site()
    for query in queries:
        site.request(f"/api/v1/?{query}")
    assert [call["QUERY_STRING"] for call in site.calls] == queries


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
