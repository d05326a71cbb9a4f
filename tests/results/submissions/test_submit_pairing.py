"""How a preview handles outputs about one device, or about two."""

import pytest

from results.models import Result
from tests import pastes
from tests.page import Page
from tests.results.publishing import publish_by_form, send_by_form

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("ident", "serial", "unit"),
    [
        (pastes.SERIAL, f"{pastes.SERIAL[:8]}****", "Other results of the same unit are recognized"),
        (f"{pastes.SERIAL[:8]}****", f"{pastes.SERIAL[:8]}XXXXXX", "The text has no serial number"),
        ("XXXXXXXX", "<redacted>", "The text has no serial number"),
    ],
)
def test_a_partly_hidden_serial_number_pairs_output_but_identifies_no_unit(client, ident, serial, unit):
    text = pastes.diskinfo(ident=ident) + pastes.smartctl(serial=serial)
    preview = Page(send_by_form(client, text)).text
    assert "D20Y" in preview
    assert unit in preview
    assert publish_by_form(client, text).status_code == 201
    assert Result.objects.get().has_unit is (ident == pastes.SERIAL)


def test_outputs_of_different_devices_are_reported_with_the_differences(client):
    text = pastes.diskinfo() + pastes.smartctl(serial="ZX81SPECTRUM16")
    page = send_by_form(client, text)
    assert "different devices: the serial numbers differ" in page.text
    assert "MARVELL SD88SA02&#x27; and &#x27;" not in page.text
