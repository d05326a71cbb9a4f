"""Submitting from a browser, which sends the files of a form only once."""

import pytest

from results.models import Result, Submission
from tests import pastes

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def files(tmp_path) -> list[str]:
    """A run as FreeBSD writes it to a file, and the description of its device as PowerShell does."""
    run, description = tmp_path / "diskinfo.txt", tmp_path / "smartctl.txt"
    run.write_text(pastes.diskinfo(), encoding="utf-8")
    description.write_text(pastes.smartctl(), encoding="utf-16")
    return [str(run), str(description)]


def test_files_are_published_after_their_preview(page, files):
    page.goto("/submit/")
    page.locator("#id_files").set_input_files(files)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="One run of MARVELL SD88SA02").wait_for()
    result = Result.objects.get()
    assert (result.latency_us, result.firmware.version) == (list(pastes.FIRST_CURVE), "D20Y")


def test_files_are_there_for_a_correction_without_scripts(page_without_scripts, files):
    page = page_without_scripts
    page.goto("/submit/")
    page.locator("#id_files").set_input_files(files[1])
    page.get_by_role("button", name="Preview").click()
    assert "there is no benchmark here" in page.locator("[role=alert]").inner_text()
    box = page.locator("#id_text")
    box.fill(pastes.diskinfo() + box.input_value())
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").click()
    assert Submission.objects.get().results.get().firmware.version == "D20Y"
