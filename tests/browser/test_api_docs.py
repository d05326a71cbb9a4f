"""The API's documentation: Swagger UI under the site's policy, and what stands there before it."""

import pytest

from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)
LEADERBOARD = "#operations-leaderboard-leaderboard"


def open_docs(page, theme="light"):
    page.set_viewport_size({"width": 360, "height": 800})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto("/api/v1/docs/")
    page.wait_for_selector(LEADERBOARD)


def test_all_operations_are_listed_under_one_heading(page):
    open_docs(page)
    assert page.locator("h1").all_inner_texts() == ["API"]
    paths = page.request.get("/api/v1/schema/").json()["paths"].values()
    assert page.locator(".opblock").count() == sum(len(operations) for operations in paths) > 20
    shown = page.locator(f"{LEADERBOARD} .opblock-summary-path").inner_text().replace("\u200b", "")
    assert shown == "/api/v1/leaderboard/"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_read_can_be_tried_out_and_axe_objects_to_nothing(page, assert_accessible, theme):
    make_result(20, device=make_device(slug="sample"))
    rank_everything()
    open_docs(page, theme)
    assert_accessible(page)
    page.locator(f"{LEADERBOARD} .opblock-summary-control").press("Enter")
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("combobox", name="class", exact=True).select_option("nvme")
    assert_accessible(page)
    page.get_by_role("button", name="Execute").click()
    answer = page.locator(".live-responses-table")
    assert '"slug": "sample"' in answer.inner_text()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_what_writes_can_only_be_read_about(page):
    open_docs(page)
    page.locator("#operations-submissions-submit .opblock-summary-control").click()
    page.wait_for_selector("#operations-submissions-submit .opblock-body")
    assert page.get_by_role("button", name="Try it out").count() == 0


def test_without_scripts_the_operations_are_listed_and_the_schema_is_a_link_away(page_without_scripts):
    page_without_scripts.goto("/api/v1/docs/")
    listed = page_without_scripts.locator("#api-docs dt").all_inner_texts()
    assert "GET /api/v1/leaderboard/" in listed
    assert "GET, DELETE /api/v1/submissions/{public_id}/" in listed
    assert (
        page_without_scripts.get_by_role("link", name="OpenAPI schema").get_attribute("href")
        == "/api/v1/schema/"
    )
