"""What strangers wrote is text wherever it is read: every page, picture, table, feed and file."""

import pytest

from tests.security.planted import add_rows, plant
from tests.security.sinks import read_everything

pytestmark = pytest.mark.django_db(
    transaction=True
)  # the export sees one snapshot, of a transaction of its own
MUST_BE_PLANTED = {
    "device.model_name", "firmware.version", "vendor.name", "product.name", "result.notes", "report.text",
    "submission.text", "submission.forum_handle", "submission.source_url", "submission.state_reason",
    "submission.note",
    "member.display_name", "member.forum_handle", "member.forum_url", "member.ban_reason", "apikey.name",
    "importbatch.title", "dataversion.read_only_reason",
}  # fmt: skip


def test_stored_input_is_escaped_everywhere(world, settings):
    """Other payloads are read again only where the first ones stood."""
    settings.USERSESSIONS_TRACK_ACTIVITY = False  # four queries a request, none of what is planted
    add_rows(world)
    holding = None
    for number in (0, 19):
        assert plant(number) >= MUST_BE_PLANTED
        found, read = read_everything(world, only=holding)
        assert not found, "\n".join(found)
        holding = {path for path, holds in read.items() if holds}
        assert len(holding) > 25, sorted(holding)
