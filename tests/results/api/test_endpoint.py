import pytest

from results.core.security.rate_limits import QUERY_LIMIT
from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db
READS = (
    "/api/v1/devices/",
    "/api/v1/devices/sample/",
    "/api/v1/devices/sample/firmware/",
    "/api/v1/products/",
    "/api/v1/leaderboard/",
    "/api/v1/classes/",
    "/api/v1/bands/",
    "/api/v1/access-patterns/",
    "/api/v1/results/",
    "/api/v1/results/sample/",
    "/api/v1/submissions/sample/",
)


@pytest.fixture(autouse=True)
def sample():
    make_result(device__slug="sample", submission__public_id="sample", firmware__version="1.0")
    rank_everything()


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("/api/v1/devices/", ["slug", "plp"]),
        ("/api/v1/devices/sample/", ["rankings"]),
        ("/api/v1/devices/sample/firmware/", ["version"]),
        ("/api/v1/leaderboard/", ["rank", "device"]),
        ("/api/v1/bands/", ["source"]),
        ("/api/v1/results/", ["id", "metrics"]),
        ("/api/v1/results/sample/", ["text"]),
        ("/api/v1/submissions/sample/", ["state"]),
    ],
)
def test_only_the_requested_fields_are_returned(client, url, names):
    def records(response):
        answer = response.json()
        return answer["results"] if "count" in answer else [answer]

    part = records(client.get(f"{url}?fields={','.join(names)}"))
    assert part == [{name: row[name] for name in names} for row in records(client.get(url))]
    assert records(client.get(url, {"fields": names})) == part  # repeated, as generated clients send them


def test_fields_of_an_object_are_named_by_their_path(client):
    (row,) = client.get("/api/v1/leaderboard/").json()["results"]
    (part,) = client.get("/api/v1/leaderboard/?fields=device.slug,rank,device.plp").json()["results"]
    assert part == {"rank": row["rank"], "device": {name: row["device"][name] for name in ("slug", "plp")}}
    (entire,) = client.get("/api/v1/leaderboard/?fields=device.slug,device").json()["results"]
    assert entire == {"device": row["device"]}
    (metrics,) = client.get("/api/v1/results/?fields=metrics.latency_4k_us").json()["results"]
    assert list(metrics["metrics"]) == ["latency_4k_us"]
    assert client.get("/api/v1/lookup/?model=zzzz&fields=latency.device").json() == {"latency": None}


def test_fields_of_an_object_are_columns_of_csv(client):
    names = "latency_4k_us,device.slug,conditions.pattern"
    text = client.get(f"/api/v1/leaderboard/?format=csv&fields={names}").getvalue().decode()
    head, row = text.splitlines()
    assert (head, row.split(",")[1]) == ("latency_4k_us,device.slug,pattern", "sample")


def test_an_unknown_field_of_an_object_is_refused_with_the_fields_of_that_object(client):
    for name in ("device.colour", "rank.slug", "device.slug.x"):
        response = client.get(f"/api/v1/leaderboard/?fields={name}")
        (message,) = response.json()["errors"]["fields"]
        assert message.startswith(f"Unknown: {name}. Allowed: ")
        assert ("device.slug, " in message, "facts.launch_year" in message) == ("device" in name, False)


def test_columns_of_csv_are_in_the_order_of_the_fields_asked_for(client):
    for names in ("plp,model_name,slug", "slug,plp,model_name"):
        table = client.get(f"/api/v1/devices/?format=csv&fields={names}").getvalue().decode()
        assert table.splitlines()[0] == names


@pytest.mark.parametrize("url", ["/api/v1/devices/?page=", "/api/v1/leaderboard/?min_units="])
def test_empty_number_is_refused(client, url):
    assert client.get(url).status_code == 400


def test_response_is_json_whatever_the_accept_header(client, subtests):
    for url in READS:
        with subtests.test(url=url):
            for accepted in ("text/html", "application/xml;q=0.1", "*/*", "nonsense"):
                response = client.get(url, HTTP_ACCEPT=accepted)
                assert (response.status_code, response["Content-Type"]) == (200, "application/json")


def test_head_is_answered_like_get(client, subtests):
    for url in READS:
        with subtests.test(url=url):
            assert client.head(url).status_code == 200


def test_parameters_with_different_bytes_are_different(client):
    queries = ("q=%C3%A9", "q=%E9", "q=\xc3\xa9", "q=%C3%A9", "q=" + "x" * (QUERY_LIMIT + 1))
    answers = [client.get("/api/v1/leaderboard/", QUERY_STRING=query).status_code for query in queries]
    assert answers == [200, 200, 200, 200, 400]
