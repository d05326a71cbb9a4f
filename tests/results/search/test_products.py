from results.search.products import ADDED, DOUBLED, LEFT_OUT, REPLACED, SWAPPED, find_slip


def test_typing_errors_are_classified(subtests):
    for typed, slip in [
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
    ]:
        with subtests.test(typed=typed):
            assert find_slip(typed, "p4800x") == slip
