"""Four times the text takes about four times the work, whatever it holds."""

import pytest

from parsers.paste import parse_paste
from tests.growth import is_linear, repeated
from tests.hostile import PIECES, texts

SIZE = 8 * 1024
SIZE_OF_TEXTS = 24 * 1024  # what grows with the number of identifiers shows later
TEXTS = texts()


def read(text):
    return parse_paste(text, unit_key=b"key")


@pytest.mark.parametrize("piece", PIECES)
def test_parsing_a_repeated_piece_is_linear(piece):
    assert is_linear(read, repeated(piece, SIZE), repeated(piece, 4 * SIZE))


@pytest.mark.parametrize("name", TEXTS)
def test_parsing_many_identifiers_is_linear(name):
    assert is_linear(read, TEXTS[name](SIZE_OF_TEXTS), TEXTS[name](4 * SIZE_OF_TEXTS))
