"""Markup that is sent as everybody sends things is text in the answer, and wherever it is read afterwards."""

import pytest

from tests.security.answers import faults
from tests.security.payloads import MARKUP
from tests.security.sent import Senders, add_passkey, arrived, held_count
from tests.security.sinks import read_everything

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 6
MUST_ARRIVE = {
    "submission.text", "submission.forum_handle", "submission.source_url", "submission.state_reason",
    "submission.note",
    "device.model_name", "result.notes", "result.told_conditions", "report.text", "apikey.name",
    "member.display_name", "member.forum_handle", "auditentry.reason", "importbatch.title",
    "representativepin.reason", "vendor.name", "product.name", "usersession.user_agent", "authenticator.data",
}  # fmt: skip


def test_input_from_forms_and_api_is_escaped_everywhere(world, settings):
    """Each field gets another payload each time, and each payload comes to several of them."""
    add_passkey(world)
    senders, found = Senders(world, MARKUP), []
    for _ in range(ROUNDS):
        for answer in senders.send_all():
            found += faults(answer, answer.request["PATH_INFO"])
    assert MUST_ARRIVE - arrived() == set()
    assert held_count() > ROUNDS  # in names of devices: other lines with it are left out
    settings.USERSESSIONS_TRACK_ACTIVITY = False  # four queries a request, none of what was sent
    wrong, read = read_everything(world)
    assert found + wrong == []
    assert sum(read.values()) > 25
