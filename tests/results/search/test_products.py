import pytest

from results.search.products import ADDED, DOUBLED, LEFT_OUT, REPLACED, SWAPPED, find_slip


@pytest.mark.parametrize(
    ("typed", "slip"),
    [
        ("p4080x", SWAPPED),
        ("p48000x", DOUBLED),
        ("pp4800x", DOUBLED),
        ("p480x", LEFT_OUT),
        ("4800x", LEFT_OUT),
        ("p4800", LEFT_OUT),
        ("p48700x", ADDED),
        ("p4800xy", ADDED),
        ("p4900x", REPLACED),
        ("p4990x", None),
        ("p40", None),
        ("0p48x0", None),
    ],
)
def test_typing_errors_are_classified(typed, slip):
    assert find_slip(typed, "p4800x") == slip
