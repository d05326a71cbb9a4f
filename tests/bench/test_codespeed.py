"""What the comparison with codespeed makes of its figures, and what it says when codespeed is not there."""

from bench import codespeed


def test_submissions_are_compared_by_their_medians():
    there, here, ratio = codespeed._rows([300.0, 100.0, 200.0], [9.0, 10.0, 11.0])
    assert (there.measured, here.measured, ratio.measured) == (200.0, 10.0, 20.0)


def test_it_needs_a_python_with_codespeed(capsys):
    assert codespeed.main([]) == 2
    assert codespeed.main(["/nowhere/python"]) == 2
    assert "bin/bench codespeed PYTHON" in capsys.readouterr().err
