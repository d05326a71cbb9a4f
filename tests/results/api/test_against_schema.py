"""schemathesis checks that responses match the schema, and bad requests fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import pastes
from tests.factories import make_device, make_member, make_product, make_result, rank_everything
from tests.results.api.holders import bearer

UNREACHABLE_LIMIT = (1_000_000, 60)
CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
HOOKS = Path(__file__).with_name("schemathesis_hooks.py")


@pytest.fixture
def sample(settings):
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, UNREACHABLE_LIMIT)
    member = make_member()
    product = make_product(slug="aldera-s1")
    for number in range(3):
        make_result(
            20 + number,
            device=make_device(slug=f"sample-{number}", product=product),
            submission__public_id=f"sample{number}",
            submission__owner=member,
            submission__text=pastes.FIRST_PASTE,
            firmware__version="1.0",
        )
    rank_everything()
    return bearer(member)["HTTP_AUTHORIZATION"]


@pytest.mark.django_db(transaction=True)
def test_schemathesis_finds_no_violation(live_server, sample, tmp_path):
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION), "run"]
    completed = subprocess.run(
        [*command, f"{live_server.url}/api/v1/schema/?profile=all", "--header", f"Authorization: {sample}"],
        cwd=tmp_path,  # it stores examples in the current directory
        env={**os.environ, "SCHEMATHESIS_HOOKS": str(HOOKS)},
        capture_output=True,
        text=True,
        check=False,
        timeout=540,
    )
    assert completed.returncode == 0, completed.stdout[-30000:] + completed.stderr
