"""The API's documentation: Swagger UI under the site's policy, and what stands there before it."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_device, make_result, rank_everything
from tests.patience import becomes, fits

pytestmark = pytest.mark.django_db(transaction=True)
DEVICES = "#operations-devices-devices_list"


def test_a_read_can_be_tried_out_and_what_writes_only_read_about(page, assert_accessible):
    make_result(20, device=make_device(slug="sample"))
    rank_everything()
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("/api/v1/docs/")
    page.wait_for_selector(DEVICES)
    expect(page.locator("h1")).to_have_text(["API"])
    paths = page.request.get("/api/v1/schema/").json()["paths"].values()
    count = sum(len(operations) for operations in paths)
    assert count > 20
    expect(page.locator(".opblock")).to_have_count(count)
    shown = page.locator(f"{DEVICES} .opblock-summary-path")
    becomes(lambda: shown.inner_text().replace("\u200b", ""), "/api/v1/devices/")

    page.locator("#operations-submissions-submit .opblock-summary-control").click()
    page.wait_for_selector("#operations-submissions-submit .opblock-body")
    expect(page.get_by_role("button", name="Try it out")).to_have_count(0)

    page.locator(f"{DEVICES} .opblock-summary-control").press("Enter")
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("listbox", name="fields", exact=True).select_option("slug")
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table")).to_contain_text('"slug": "sample"')
    assert_accessible(page, DEVICES)  # the rest is seen in test_every_page.py
    fits(page, 360)


def test_without_scripts_the_operations_are_listed_and_the_schema_is_a_link_away(page_without_scripts):
    page_without_scripts.goto("/api/v1/docs/")
    listed = page_without_scripts.locator("#api-docs dt")
    for operation in ("GET /api/v1/leaderboard/", "GET, DELETE /api/v1/submissions/{public_id}/"):
        expect(listed.get_by_text(operation, exact=True)).to_be_visible()
    schema = page_without_scripts.get_by_role("link", name="OpenAPI schema")
    expect(schema).to_have_attribute("href", "/api/v1/schema/")
