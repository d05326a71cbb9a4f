from io import StringIO

import pytest
from django.core.management import call_command


def test_the_schema_is_generated_without_a_warning(capsys):
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=StringIO())
    assert capsys.readouterr().err == ""


@pytest.mark.django_db
def test_the_schema_names_every_resource(client):
    schema = client.get("/api/v1/schema/").json()
    assert schema["openapi"].startswith("3.1")
    assert {path: sorted(methods) for path, methods in schema["paths"].items()} == {
        "/api/v1/compare/": ["get"],
        "/api/v1/bands/": ["get"],
        "/api/v1/claims/": ["post"],
        "/api/v1/classes/": ["get"],
        "/api/v1/devices/": ["get"],
        "/api/v1/devices/{slug}/": ["get"],
        "/api/v1/devices/{slug}/firmware/": ["get"],
        "/api/v1/leaderboard/": ["get"],
        "/api/v1/me/": ["get"],
        "/api/v1/me/submissions/": ["get"],
        "/api/v1/parse/": ["post"],
        "/api/v1/products/": ["get"],
        "/api/v1/products/{slug}/": ["get"],
        "/api/v1/results/": ["get"],
        "/api/v1/results/{public_id}/": ["get", "patch"],
        "/api/v1/results/{public_id}/reports/": ["post"],
        "/api/v1/search/": ["get"],
        "/api/v1/submissions/": ["post"],
        "/api/v1/submissions/{public_id}/": ["delete", "get"],
        "/api/v1/submissions/{public_id}/restore/": ["post"],
        "/api/v1/submissions/{public_id}/withdraw/": ["post"],
    }
    bodies = schema["paths"]["/api/v1/submissions/"]["post"]["requestBody"]["content"]
    assert sorted(bodies) == ["application/json", "multipart/form-data", "text/plain"]
