"""The dashboard and the alerts as files: every metric that they name is one that the site tells."""

import json
import re
from importlib import import_module

import yaml
from celery.states import ALL_STATES
from django_prometheus.middleware import Metrics
from prometheus_client import REGISTRY

from results.operations.metrics import NAMES
from tests.deploy.compose import GIVEN, ROOT, services

DASHBOARD = json.loads((ROOT / "deploy/grafana/dashboards/slogdb.json").read_text())
ALERTS = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"][0]["rules"]
SCRAPES = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())["scrape_configs"]
EXPRESSIONS = {
    **{
        f"panel {panel['title']} {target['refId']}": target["expr"]
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    },
    **{f"alert {rule['alert']}": rule["expr"] for rule in ALERTS},
}
NAMED = re.compile(r"\b(?:slogdb|django_http)_[a-z_]+")
BY = re.compile(r"\bby \(([^)]*)\)")
CHOSEN = re.compile(r"\b((?:slogdb|django_http)_[a-z_]+|up)\{([^}]*)\}")
MATCHER = re.compile(r'([a-z_]+)(=~|!~|!=|=)"([^"]*)"')
CODE = "".join(path.read_text() for folder in ("slogdb", "results") for path in (ROOT / folder).rglob("*.py"))
JOBS = {scrape["job_name"] for scrape in SCRAPES}


def declared_series() -> dict[str, set[str]]:
    """Every series that can be there, with its labels."""
    for name in ("slogdb.wsgi", "slogdb.urls"):  # by which all counters of the web server are declared
        import_module(name)
    Metrics.get_instance()
    found = {name: set() for name in NAMES}
    for metric, names in REGISTRY._collector_to_names.items():  # noqa: SLF001 - it has no public list
        for name in names if NAMED.match(names[0]) else ():
            found[name] = {*metric._labelnames, *({"le"} if name.endswith("_bucket") else set())}  # noqa: SLF001
    return found


SERIES = declared_series()


def test_what_is_watched_is_told(subtests):
    for where in sorted(EXPRESSIONS):
        with subtests.test(where=where):
            expression = EXPRESSIONS[where]
            names = NAMED.findall(expression)
            assert names or "up{" in expression
            assert [name for name in names if name not in SERIES] == []
            labels = {label.strip() for group in BY.findall(expression) for label in group.split(",")}
            assert labels <= set().union(*(SERIES[name] for name in names)), expression
            assert expression.count("(") == expression.count(")")


def test_work_that_waits_for_the_end_of_a_read_only_switch_is_no_alert():
    waits = ("slogdb_queue_depth", "slogdb_unranked_boards", "slogdb_late_age_seconds")
    about_it = {rule["alert"]: rule["expr"] for rule in ALERTS if any(name in rule["expr"] for name in waits)}
    assert about_it.keys() >= {"QueueLong", "RanksOld", "DevicesLate"}
    loud = [name for name, expr in about_it.items() if not expr.endswith(" unless max(slogdb_read_only) > 0")]
    assert loud == []


def test_what_is_chosen_of_it_is_something_that_is_said(subtests):
    """A label that a series lacks, or a word that it never says, makes an alert that never comes."""
    for where in sorted(EXPRESSIONS):
        with subtests.test(where=where):
            for name, chosen in CHOSEN.findall(EXPRESSIONS[where]):
                matchers = MATCHER.findall(chosen)
                assert ",".join(f'{label}{sign}"{word}"' for label, sign, word in matchers) == chosen.replace(
                    " ", ""
                )
                for label, sign, words in matchers:
                    assert label in ({"job"} if name == "up" else SERIES[name]), chosen
                    for word in words.split("|") if sign in {"=~", "!~"} else [words]:
                        assert is_emitted(label, word), chosen


def is_emitted(label, word):
    """Whether the code has the word, or Celery has it for how a task ends; a status is a number."""
    if label in {"job", "status"}:
        return word in JOBS if label == "job" else re.fullmatch(r"[1-5](\d\d|\.\.)", word)
    return f'"{word}"' in CODE or word.upper() in ALL_STATES


def test_each_figure_of_the_site_is_watched():
    watched = {name for expression in EXPRESSIONS.values() for name in NAMED.findall(expression)}
    families = {re.sub(r"_(bucket|count|sum)$", "", name) for name in watched}
    known = {re.sub(r"_(created|total)$", "", name) for name in SERIES if name.startswith("slogdb_")}
    assert known - {name.removesuffix("_total") for name in families} == set()


def test_alerts_say_how_bad_it_is_and_what_to_do():
    for rule in ALERTS:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert set(rule["annotations"]) == {"summary", "action"}


def test_prometheus_asks_services_that_there_are():
    known = services(GIVEN)
    assert {
        name for scrape in SCRAPES for config in scrape["dns_sd_configs"] for name in config["names"]
    } <= set(known)
    assert f"--port={SCRAPES[0]['dns_sd_configs'][0]['port']}" in known["web"]["command"]
    assert known["worker"]["environment"]["SLOGDB_WORKER_METRICS_PORT"] == str(
        SCRAPES[1]["dns_sd_configs"][0]["port"]
    )
