"""What a program that knows nothing of the site begins with: every address in it answers."""

import re

import pytest

from tests.factories import make_device, make_product, make_result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slog_example")]
SITE = "https://slog.example"


def test_every_link_of_llms_txt_answers(client):
    for slug in ("p3700", "p4801x"):
        make_result(device=make_device(slug=slug, product=make_product(slug=slug, name=slug.upper())))
    response = client.get("/llms.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    links = re.findall(r"\]\((.*?)\)", response.text)
    assert len(links) > 20
    for link in links:
        assert client.get(link.removeprefix(SITE)).status_code == 200, link


def test_the_api_catalog_leads_to_the_schema_and_the_documentation(client):
    response = client.get("/.well-known/api-catalog")
    assert response["Content-Type"].startswith(
        'application/linkset+json; profile="https://www.rfc-editor.org/'
    )
    (api,) = response.json()["linkset"]
    for relation in ("service-desc", "service-doc"):
        (link,) = api[relation]
        target = client.get(link["href"].removeprefix(SITE))
        assert (target.status_code, target["Content-Type"].partition(";")[0]) == (200, link["type"])
    assert response["Link"] == f'<{SITE}/.well-known/api-catalog>; rel="api-catalog"'
