import pytest

MODULE = "/static/js/chart-state.js"
PLAIN = {"chart": "latency", "scale": "log", "sizes": "all", "hidden": []}
ADDRESS = "http://scripts.test/compare/?devices=a,b#chart"


@pytest.fixture
def call(open_page):
    """Calls a function of the module with JSON arguments."""
    page = open_page("")

    def call_function(name, *arguments):
        script = "async ([module, name, args]) => (await import(module))[name](...args)"
        return page.evaluate(script, [MODULE, name, list(arguments)])

    return call_function


def test_an_address_without_parameters_is_the_plain_view(call):
    assert call("readState", "?q=optane") == PLAIN


def test_the_state_stands_in_the_address_and_comes_out_of_it_again(call):
    state = {"chart": "throughput", "scale": "linear", "sizes": "ranked", "hidden": ["a", "b"]}
    address = call("stateUrl", ADDRESS, state)
    assert address == (
        "http://scripts.test/compare/?devices=a,b&chart=throughput&scale=linear&sizes=ranked&hide=a,b#chart"
    )
    assert call("readState", "?" + address.partition("?")[2].partition("#")[0]) == state


def test_what_holds_anyway_is_left_out_of_the_address(call):
    assert call("stateUrl", ADDRESS.replace("#", "&scale=linear&hide=a#"), PLAIN) == ADDRESS


def test_a_curve_is_hidden_and_shown_again(call):
    hidden = call("toggled", PLAIN, "a")
    assert hidden["hidden"] == ["a"]
    assert call("toggled", hidden, "a") == PLAIN
