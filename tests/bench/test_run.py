"""Each benchmark is started by its name."""

from importlib import import_module

import pytest

from bench import run


@pytest.mark.parametrize("name", [*run.OUTSIDE, *run.INSIDE])
def test_each_name_leads_to_a_benchmark(name):
    assert callable(import_module(f"bench.{name}").main)


def test_a_benchmark_gets_the_arguments_behind_its_name(monkeypatch):
    monkeypatch.setattr("bench.pages.main", lambda arguments: len(arguments))
    assert run.main(["pages", "10000", "20000"]) == 2
    assert run.main([]) == 0


def test_an_unknown_name_is_refused_with_those_that_are_known(capsys):
    assert run.main(["nothing"]) == 2
    assert "ranking, imports, exports, and no nothing" in capsys.readouterr().err
