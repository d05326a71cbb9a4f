from results.ranking.score import FORMULA_CHANGES


def test_the_changes_of_the_formula_are_listed_newest_first(client, django_assert_num_queries, db):
    with django_assert_num_queries(0):
        formula = client.get("/about/").context["formula"]
    assert [change["version"] for change in formula["changes"]] == [
        change.version for change in reversed(FORMULA_CHANGES)
    ]
    assert formula["version"] == FORMULA_CHANGES[-1].version
