from results.models.fact import is_about


def test_a_statement_is_about_the_line_or_one_capacity():
    marketed, by_tools, unknown = 480_000_000_000, 480_103_981_056, None
    assert is_about(None, by_tools)
    assert is_about(None, unknown)
    assert is_about(marketed, by_tools)
    assert not is_about(marketed, 2 * by_tools)
    assert not is_about(marketed, unknown)
