import gzip
import json

import pytest

from results.exports.build import build_exports
from tests.factories import make_result

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def built(settings, tmp_path):
    settings.EXPORT_FOLDER = str(tmp_path)
    make_result(submission__text="a text")
    return {file.name: file for file in build_exports().files}


def body(response):
    return b"".join(response.streaming_content)


def test_a_complete_file_has_its_digest_as_etag(client, built):
    response = client.get("/exports/results.csv")
    content = body(response)
    assert (response.status_code, len(content)) == (200, built["results.csv"].bytes)
    assert response["ETag"] == f'"{built["results.csv"].sha256}"'
    again = client.get("/exports/results.csv", headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_files_are_sent_compressed_to_clients_that_take_it(client, built):
    plain = client.get("/exports/results.csv")
    for accepted, encoding in (("br, gzip", "gzip"), ("gzip;q=0, br", None), ("identity", None)):
        response = client.get("/exports/results.csv", headers={"Accept-Encoding": accepted})
        assert (response.get("Content-Encoding"), response["Vary"]) == (encoding, "Accept-Encoding")
        content = body(response)
        assert int(response["Content-Length"]) == len(content)
        if encoding:
            assert gzip.decompress(content) == body(plain)
            zipped, tag = content, response["ETag"]
    assert tag != plain["ETag"]
    headers = {"Accept-Encoding": "gzip", "Range": "bytes=5-", "If-Range": tag}
    assert body(client.get("/exports/results.csv", headers=headers)) == zipped[5:]
    parquet = client.head("/exports/results.parquet", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in parquet
    manifest = client.get("/exports/manifest.json", headers={"Accept-Encoding": "gzip"})
    assert manifest["Content-Type"] == "application/json"
    assert json.loads(gzip.decompress(body(manifest)))["files"][0]["sha256"]


def test_a_download_is_resumed(client, built, subtests):
    for range_header, start, end in [("bytes=0-9", 0, 10), ("bytes=5-", 5, None), ("bytes=-7", -7, None)]:
        with subtests.test(range_header=range_header):
            complete = body(client.get("/exports/results.csv"))
            response = client.get("/exports/results.csv", headers={"Range": range_header})
            part = body(response)
            assert (response.status_code, part) == (206, complete[start:end])
            assert response["Content-Range"].endswith(f"/{len(complete)}")


def test_an_invalid_range_gets_416_with_the_size(client, built, subtests):
    for range_header in ["bytes=99999999-", "bytes=9-5", "bytes=-", "lines=1-2", "bytes=0-1,5-6"]:
        with subtests.test(range_header=range_header):
            response = client.get("/exports/results.csv", headers={"Range": range_header})
            assert (response.status_code, response["Content-Range"]) == (
                416,
                f"bytes */{built['results.csv'].bytes}",
            )


def test_a_changed_file_is_sent_completely(client, built):
    headers = {"Range": "bytes=5-", "If-Range": '"another"'}
    response = client.get("/exports/results.csv", headers=headers)
    assert (response.status_code, len(body(response))) == (200, built["results.csv"].bytes)


def test_nothing_else_is_served(client, built, subtests):
    for name in ["../../etc/passwd", "plain.csv", "..", "manifest.json.bak"]:
        with subtests.test(name=name):
            assert client.get(f"/exports/{name}").status_code == 404


def test_head_returns_the_size_without_a_body(client, built):
    response = client.head("/exports/slogdb.sqlite")
    assert int(response["Content-Length"]) == built["slogdb.sqlite"].bytes


def test_search_engines_find_the_files_described(client, built):
    page = client.get("/exports/").text
    assert '<script type="application/ld+json">' in page
    assert '"contentUrl": "http://127.0.0.1:8000/exports/slogdb.sqlite"' in page
