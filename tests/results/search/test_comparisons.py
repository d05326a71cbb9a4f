"""Names against each other are compared, from any search box; other texts with such words are searched for."""

import pytest

from results.search.comparisons import comparison_url, split_names

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]


def test_several_names_are_split(subtests):
    for text in ["P1600X or P4801X or DC2000B?", "P1600X, P4801X,DC2000B", "P1600X vs. P4801X vs DC2000B"]:
        with subtests.test(text=text):
            assert split_names(text) == ["P1600X", "P4801X", "DC2000B"]


@pytest.mark.parametrize(
    "text",
    [
        "990 pro vs p3700",
        "s3700 vs s3500",
        "zeusram versus optane 900p",
        "P1600X or P4801X or DC2000B?",
        "which is better, p3700 or p4801x",
        "970 evo plus or p1600x for slog",
    ],
)
def test_names_against_each_other_are_compared_from_every_search_box(client, text):
    for path in ("/search/", "/leaderboard/"):
        response = client.get(path, {"q": text}, follow=True)
        assert response.redirect_chain[0][0].startswith("/compare/?add="), path
        assert "devices=" in response.redirect_chain[-1][0], path
        assert response.status_code == 200, path


def test_the_list_of_products_leads_to_the_search(client):
    answer = client.get("/products/", {"q": "990 pro vs p3700"})
    assert answer.headers["Location"] == "/search/?q=990+pro+vs+p3700"


def test_other_texts_with_such_words_are_searched_for(client, subtests):
    for text in [
        "do i need one or not",
        "zil vs slog",
        "sync vs async",
        "slog or l2arc",
        "p3700 or better",
        "mirror or stripe",
        "is the p3700 good or bad",
        "p3700",
        "vs",
    ]:
        with subtests.test(text):
            assert comparison_url(text) == ""
            assert client.get("/search/", {"q": text}, follow=True).status_code == 200
