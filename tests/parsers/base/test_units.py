"""Numbers in any locale's grouping, and what is none."""

from decimal import Decimal

from parsers.base.units import parse_decimal, parse_grouped


def test_any_separator_may_group_digits_by_three(subtests):
    for text in (
        "1600321314816",
        "1,600,321,314,816",
        "1.600.321.314.816",
        "1 600 321 314 816",
        "1\u00a0600\u00a0321\u00a0314\u00a0816",
        "1\u202f600\u202f321\u202f314\u202f816",
        "1'600'321'314'816",
        "1’600’321’314’816",
        "1-600-321-314-816",
        "1â€¯600â€¯321â€¯314â€¯816",  # U+202F in UTF-8, read as Windows-1252
    ):
        with subtests.test(text=text):
            assert parse_grouped(text) == 1600321314816


def test_decimals_follow_a_point_or_a_comma():
    for text, value in (
        ("5441.840", "5441.840"),
        ("296033,679", "296033.679"),
        ("7", "7"),
        ("0.026", "0.026"),
    ):
        assert parse_decimal(text) == Decimal(value), text


def test_text_that_is_not_entirely_a_number_is_none():
    groups = (
        "1,600,32",
        "1,600.321",
        "1600,321",
        ",600",
        "12,",
        "0x10",
        "7:30",
        "1a600",
        "-5",
        "9" * 25,
        "٣٤",
    )
    for text in ("", *groups):
        assert parse_grouped(text) is None, text
    for text in ("", "1,234.5", "1.", ".5", "1e3", "nan", "9" * 30):
        assert parse_decimal(text) is None, text
