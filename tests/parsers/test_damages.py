"""What is done to output before it is pasted changes no figure: `python -m tests.parsers.damages` tries every way."""

from collections import Counter

from tests.parsers.damages import WAYS, differences, documents, tries

EVERY = 8  # of the ways on each document, others on the next
LEAST = 0.97  # of what is tried gives the same figures, or a notice that says why not


def test_no_damage_makes_a_figure_a_different_one():
    found = [
        (name, *tried)
        for at, (_tool, name, path) in enumerate(documents())
        for tried in tries(path, WAYS[at % EVERY :: EVERY])
    ]
    counts = Counter(result for *_tried, result, _differences in found)
    assert [difference for difference in found if difference[4] == "wrong"] == []
    assert counts.total() > 300
    assert (counts["same"] + counts["explained"]) / counts.total() >= LEAST, counts


def test_a_different_figure_is_told_from_an_absent_one():
    wanted = [{"kind": "dd", "bytes": 7, "rows": [{"ops": 1}, {"ops": 2}]}]
    without_row = [{"kind": "dd", "bytes": 7, "rows": [{"ops": 2}]}]
    assert list(differences(wanted, wanted)) == []
    assert [kind for kind, *_rest in differences(wanted, without_row)] == ["lost"]
    assert "wrong" in [kind for kind, *_rest in differences(wanted, [{"kind": "dd", "bytes": 8, "rows": []}])]
    assert "wrong" in [kind for kind, *_rest in differences(wanted, [*wanted, *wanted])]
