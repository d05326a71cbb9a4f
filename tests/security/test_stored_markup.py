"""What strangers wrote is text wherever it is read: every page, picture, table, feed and file."""

import pytest

from tests.security.planted import plant
from tests.security.sinks import read_everything

pytestmark = pytest.mark.django_db(
    transaction=True
)  # the export sees one snapshot, of a transaction of its own
MUST_BE_PLANTED = {
    "device.model_name", "firmware.version", "vendor.name", "product.name", "result.notes", "report.text",
    "submission.text", "submission.forum_handle", "submission.source_url", "submission.state_reason",
    "member.display_name", "member.forum_handle", "member.forum_url", "member.ban_reason", "apikey.name",
    "importbatch.title",
}  # fmt: skip


@pytest.mark.parametrize("number", [0, 17, 37])
def test_stored_input_is_escaped_everywhere(world, number):
    planted = plant(world, number)
    assert planted >= MUST_BE_PLANTED
    found, read = read_everything(world)
    assert not found, "\n".join(found)
    assert sum(read.values()) > 25, sorted(path for path, holds in read.items() if holds)
