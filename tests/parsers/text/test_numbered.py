"""Each line of an edited text knows the line that its first character came from, through any edits."""

from hypothesis import given
from hypothesis import strategies as st

from parsers.text.numbered import Numbered

texts = st.text(alphabet="ab\n", max_size=30)


def test_joined_split_and_removed_lines_keep_their_numbers():
    numbered = Numbered.of("one\ntwo\nthree four\nfive")
    joined = numbered.edit([(3, 4, " ")])
    assert (joined.text, list(joined.numbers)) == ("one two\nthree four\nfive", [1, 3, 4])
    split = joined.edit([(13, 14, "\n")])
    assert (split.text, list(split.numbers)) == ("one two\nthree\nfour\nfive", [1, 3, 3, 4])
    removed = split.edit([(8, 14, "")])
    assert (removed.text, list(removed.numbers)) == ("one two\nfour\nfive", [1, 3, 4])


@given(text=texts, cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4), texts), max_size=4))
def test_every_line_has_a_number_in_ascending_order(text, cuts):
    edits = sorted((min(at, len(text)), min(at + size, len(text)), new) for at, size, new in cuts)
    edited = Numbered.of(text).edit(edits)
    assert len(edited.numbers) == edited.text.count("\n") + 1
    assert list(edited.numbers) == sorted(edited.numbers)
