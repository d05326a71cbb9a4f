"""deploy/replica.yml beside docker-compose.yml: what it opens, and that it opens nothing else."""

import re

import pytest

from tests.deploy.compose import FILE, GIVEN, ROOT, read, services

PLACED = {**GIVEN, "DATABASE_PRIVATE_ADDRESS": "10.0.0.1"}
REPLICA = ROOT / "deploy" / "replica.yml"
USUAL = services(GIVEN)
ARCHIVE = ROOT / "deploy" / "point-in-time.yml"
MERGED = services(PLACED, ARCHIVE, REPLICA)
DOCUMENT = (ROOT / "docs" / "self-hosting.md").read_text()
SECTION = DOCUMENT.partition("## A replica")[2].partition("\n## ")[0]


def test_the_database_is_reached_at_the_address_that_is_named_and_nowhere_without_one():
    assert "ports" not in USUAL["database"]
    assert MERGED["database"]["ports"] == ["10.0.0.1:5432:5432"]
    with pytest.raises(KeyError, match="DATABASE_PRIVATE_ADDRESS"):
        services(GIVEN, REPLICA)


def test_a_port_is_published_from_a_network_that_leads_out():
    """The engine publishes none of a container that is in internal networks alone."""
    networks = {**read(FILE, GIVEN)["networks"], **read(REPLICA, PLACED)["networks"]}
    assert set(MERGED["database"]["networks"]) <= set(networks)
    assert not all((networks[name] or {}).get("internal") for name in MERGED["database"]["networks"])


def test_nothing_else_changes_and_the_archive_may_be_beside_it():
    changed = {name for name in USUAL if MERGED[name] != USUAL[name]}
    assert changed == {"database", "web", "web-2"}
    assert MERGED["database"]["read_only"] is True
    assert MERGED["database"]["command"] == services(PLACED, ARCHIVE)["database"]["command"]
    assert set(USUAL["web"]["volumes"]) < set(MERGED["web"]["volumes"])


def test_the_replica_is_of_the_databases_image_and_is_reached_over_tls():
    assert set(re.findall(r"postgres:[0-9a-z.-]+", SECTION)) == {USUAL["database"]["image"]}
    [url] = re.findall(r"DATABASE_REPLICA_URL=(\S+)'", SECTION)
    assert "sslmode=verify-full" in url
    assert f"sslrootcert={MERGED['web']['volumes'][-1].split(':')[1]}" in url
    assert re.findall(r"'(host\w*) ", SECTION) == ["hostssl", "hostssl"]


def test_who_is_let_in_is_said_before_anybody_can_come():
    assert (
        SECTION.index("samenet")
        < SECTION.index("pg_reload_conf")
        < SECTION.index("DATABASE_PRIVATE_ADDRESS=")
    )
