"""What the comparison with codespeed makes of its figures, and what it says when codespeed is not there."""

from bench import codespeed


def test_each_of_ours_stands_beside_the_codespeed_before_it():
    measured = {
        "codespeed: json": [(10.0, 1.0), (20.0, 1.0), (30.0, 1.0)],
        "slogdb: json": [(100.0, 1.0), (200.0, 1.0), (300.0, 1.0)],
        "codespeed: page": [(50.0, 1.0)],
        "slogdb: page": [(25.0, 1.0)],
    }
    assert codespeed._table(measured).splitlines()[2:] == [
        "| codespeed: json | 10 / 20 / 30 | 1.0 |",
        "| slogdb: json | 100 / 200 / 300 | 10.0 |",
        "| codespeed: page | 50 | 1.0 |",
        "| slogdb: page | 25 | 0.5 |",
    ]


def test_submissions_are_compared_by_their_medians():
    assert codespeed._submission_table([300.0, 100.0, 200.0], [9.0, 10.0, 11.0]).splitlines()[3:] == [
        "| codespeed | 200.0 | 1.0 |",
        "| slogdb, from the text of diskinfo | 10.0 | 20.0 |",
    ]


def test_a_python_is_asked_for(capsys):
    assert codespeed.main([]) == 2
    assert codespeed.main(["/nowhere/python"]) == 2
    assert "bin/bench codespeed PYTHON" in capsys.readouterr().err
