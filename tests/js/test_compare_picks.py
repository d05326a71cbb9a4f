import pytest

MODULE = "/static/js/compare-picks.js"


@pytest.fixture
def page(open_page):
    return open_page("")


@pytest.fixture
def call(page):
    """Calls a function of the module with JSON arguments."""

    def call_function(name, *arguments):
        script = "async ([module, name, args]) => (await import(module))[name](...args)"
        return page.evaluate(script, [MODULE, name, list(arguments)])

    return call_function


def picks(*slugs):
    return [{"slug": slug, "name": slug.upper()} for slug in slugs]


def test_what_was_picked_is_kept(call):
    call("writePicks", picks("a", "b"))
    assert call("readPicks") == picks("a", "b")


@pytest.mark.parametrize("kept", ["{", "7", '[{"slug": "a b", "name": ""}]', '[{"slug": 3}]', "[null]"])
def test_what_makes_no_sense_is_no_pick(page, call, kept):
    page.evaluate("kept => localStorage.setItem('compare', kept)", kept)
    assert call("readPicks") == []


def test_a_device_is_put_in_and_taken_out_and_six_are_the_most(call):
    assert call("togglePick", picks("a"), picks("b")[0]) == picks("a", "b")
    assert call("togglePick", picks("a", "b"), picks("a")[0]) == picks("b")
    assert call("togglePick", picks(*"abcdef"), picks("g")[0]) == picks(*"abcdef")


def test_a_comparison_takes_over_what_it_shares_a_device_with(call):
    assert call("afterComparison", picks("a", "b"), picks("b", "c")) == picks("b", "c")
    assert call("afterComparison", picks("a"), picks("b", "c")) == picks("a")
    assert call("afterComparison", [], picks("b", "c")) == []
