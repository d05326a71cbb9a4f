import pytest
from django.core.management import CommandError, call_command

from results.models import Submission
from tests import threads
from tests.factories import make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "thread.html"
    path.write_text(threads.THREAD)
    return str(path)


def test_without_publish_it_only_shows(page, capsys):
    call_command("import_thread", page)
    out = capsys.readouterr().out
    assert "2019-03-04 ann: MARVELL SD88SA02 by diskinfo -wS" in out
    assert "2 of 3 posts contain a run." in out
    assert not Submission.objects.exists()


def test_with_publish_it_stores_once(page, capsys):
    moderator = make_member(is_staff=True)
    for stored in ("2 submissions stored", "0 submissions stored"):
        call_command("import_thread", page, "--publish", "--moderator", moderator.email)
        assert stored in capsys.readouterr().out
    assert Submission.objects.count() == 2


@pytest.mark.parametrize("address", [None, "nobody@example.org"])
def test_publishing_requires_a_moderator(page, address):
    make_member(email="nobody@example.org")
    with pytest.raises(CommandError, match="moderator"):
        call_command("import_thread", page, "--publish", **({"moderator": address} if address else {}))


def test_a_file_that_is_not_a_thread_is_reported_by_name(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    with pytest.raises(CommandError, match=r"notes\.txt: No posts found"):
        call_command("import_thread", str(path))
    with pytest.raises(CommandError, match=r"gone\.html"):
        call_command("import_thread", str(tmp_path / "gone.html"))
