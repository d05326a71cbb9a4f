"""Only what we read is stored; what is left out is nowhere, and its sender is told where it was."""

import html
import json
from dataclasses import replace

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command

from parsers.paste import parse_paste
from results.exports.build import build_exports
from results.models import Result, Submission
from results.submissions.intake.receive import Sender, read_text, receive_submission
from tests import pastes
from tests.page import Page, text_of
from tests.results.kinds.latency_curve.test_runs import FIO
from tests.results.submissions.intake.test_receive import everything_stored
from tests.results.submissions.test_left_out import SYSBENCH

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]

# A line that no tool which we read prints, and a word of it that must not be found anywhere
FOREIGN = {
    "host|17:49|:~# ls -la /mnt/quokka": "quokka",
    "ann@wombat:~$ cat notes.txt": "wombat",
    "[root@numbat ~]# uptime": "numbat",
    "C:\\Users\\Dugong> dir": "Dugong",
    "From: Ann Bandicoot <ann@bandicoot.example>": "andicoot",
    "Received: from mx.kowari.example (203.0.113.9)": "kowari",
    "Вася Кенгуров написал:": "Кенгуров",
    "田中太郎 さんの投稿": "田中太郎",
    "محمد الولب كتب": "الولب",
    "root      4711  0.0  0.1 /usr/sbin/dunnartd --key=hunter2": "dunnart",
    "em0: flags=8843<UP> ether 02:00:5e:10:20:30 inet 198.51.100.7": "198.51.100.7",
    "  pool: potoroo": "potoroo",
    "\tpotoroo2    ONLINE       0     0     0": "potoroo2",
    "tank/bettong  1.2T  300G  900G  /mnt/bettong": "bettong",
    "Hi all, my new drive has the serial number QOLL12345678, bought from Eve Cuscus": "QOLL12345678",
    "Sent from my phone, Eve Cuscus": "Cuscus",
    "Nov 21 07:04:17 echidna kernel: da0 attached": "echidna",
    "4815162342 1123581321 271828182845": "271828182845",
    "  4815162343\t1123581322": "4815162343",
    "password=platypus123": "platypus123",
    "https://glider.example/t/1?token=abc": "glider",
    "Last login: Fri Nov 20 from pademelon.example": "pademelon",
    "> quoting Rosella: I measured it, too": "Rosella",
    "uid=1001(galah) gid=1001(galah)": "galah",
    "export AWS_SECRET=corella": "corella",
}


def placed(run: str, description: str) -> str:
    """The foreign lines before, between, behind and inside of two blocks."""
    lines, table, info = list(FOREIGN), run.splitlines(), description.splitlines()
    return "\n".join(
        [*lines, *table[:12], *lines, *table[12:], *lines, *info[:7], *lines, *info[7:], *lines, ""]
    )


@pytest.mark.django_db(transaction=True)
def test_lines_that_we_do_not_read_are_nowhere(client, settings, tmp_path):
    settings.EXPORT_FOLDER = tmp_path
    text = placed(pastes.FIRST_PASTE, pastes.smartctl())
    response = client.post("/submit/", {"text": text, "action": "publish"})
    assert response.status_code == 201
    result = Result.objects.get()
    assert result.latency_us == list(pastes.FIRST_CURVE)
    assert (result.firmware.version, result.has_unit) == ("D20Y", True)
    build_exports()
    shown = [
        response.text,
        client.get(result.get_absolute_url()).text,
        *(client.get(f"/api/v1/{kind}/{result.public_id}/").text for kind in ("results", "submissions")),
        (tmp_path / "current" / "texts.ndjson").read_text(),
        (tmp_path / "current" / "results.ndjson").read_text(),
        everything_stored(),
    ]
    found = {word for word in FOREIGN.values() for place in shown if word in html.unescape(place)}
    assert found == set()
    assert "… 25 lines left out …" in Submission.objects.get().text


ABOVE = "Hi all,\nmy new drive:\n"
CUT_SHORT = pastes.diskinfo(pastes.FIRST_CURVE[:9])  # the notice is about its last line
LINE, KEPT_LINE = 20, 19


def post(client, path, **fields):
    return client.post(f"/api/v1/{path}/", json.dumps(fields), content_type="application/json")


def lines_of(notices):
    return [notice["line"] for notice in notices if notice["code"] == "truncated"]


def test_answers_to_a_sender_have_the_lines_of_what_was_sent(client):
    text = ABOVE + CUT_SHORT
    parsed, sent = post(client, "parse", text=text).json(), post(client, "submissions", text=text).json()
    left_out = [{"first_line": 1, "last_line": 2, "tool": ""}]
    for answer in (parsed, sent):
        assert (lines_of(answer["notices"]), answer["left_out_lines"]) == ([LINE], left_out)
    assert (parsed["runs"][0]["first_line"], parsed["runs"][0]["last_line"]) == (3, LINE)
    preview = Page(client.post("/submit/", {"text": text, "action": "preview"}))
    assert preview.links[f"Line {LINE}"] == f"#L{LINE}"
    assert preview.part(f"L{LINE}").root.text_content() == text.split("\n")[LINE - 1]


def test_what_is_stored_has_the_lines_of_the_kept_text(client):
    text = ABOVE + CUT_SHORT
    sent = post(client, "submissions", text=text).json()
    stored = Submission.objects.get()
    assert stored.text == "… 2 lines left out …\n" + CUT_SHORT.replace(pastes.SERIAL, "[serial-1]")
    again = post(client, "submissions", text=text)
    assert (again.status_code, lines_of(again.json()["notices"])) == (200, [KEPT_LINE])
    for kind in ("submissions", "results"):
        assert lines_of(client.get(f"/api/v1/{kind}/{sent['id']}/").json()["notices"]) == [KEPT_LINE]
    page = Page(client.get(f"/results/{sent['id']}/"))
    assert page.section("notices").links == {f"Line {KEPT_LINE}": f"#L{KEPT_LINE}"}
    assert Result.objects.get().last_line == KEPT_LINE


def test_refusals_name_the_line_of_what_was_sent(client):
    text = f"{ABOVE}diskinfo: /dev/da0: Permission denied\n"
    answer = post(client, "submissions", text=text)
    assert (answer.status_code, answer.json()["notices"][0]["line"]) == (422, 3)
    response = client.post("/submit/", {"text": text, "action": "publish"})
    assert Page(response).part("paste-errors").links == {"Line 3": "#id_text"}
    assert "Not recognized: lines 1 to 2." in response.text
    nothing = post(client, "submissions", text="Hi all,\n\nbye\n").json()
    assert nothing["left_out_lines"] == [{"first_line": 1, "last_line": 3, "tool": ""}]


def test_the_preview_shows_what_is_left_out_to_its_sender(client):
    text = f"Hi <b>all</b>,\nbye\n{pastes.diskinfo()}{SYSBENCH}"
    response = client.post("/submit/", {"text": text, "action": "preview"})
    assert "output of <strong>sysbench</strong>, which we can’t read yet" in response.text
    assert "<summary>Lines 1 to 2: 2 lines left out</summary>" in response.text
    assert "2 lines of sysbench left out</summary>" in response.text


def test_the_preview_lists_the_senders_own_words(client):
    text = FIO.replace("slog", "anns-pool") + pastes.smartctl(model="SAMPLE NVMe")
    response = client.post("/submit/", {"text": text, "action": "preview"})
    words = Page(response).section("own-words").root.findall(".//li")
    assert [text_of(word) for word in words] == ["anns-pool"]


def test_without_units_a_paste_is_as_its_kept_text_is_read_again():
    for text in (pastes.FIRST_PASTE + pastes.smartctl(), ABOVE + CUT_SHORT):
        paste = read_text(text, keeps_unit=False)
        again = parse_paste(paste.text, unit_key=site_settings.UNIT_KEY.encode())
        assert again.unit_digests == {}
        assert replace(
            paste,
            source_lines=again.source_lines,
            left_out_lines=again.left_out_lines,
            own_words=again.own_words,
        ) == replace(again, own_words=again.own_words)


def everything_about_results():
    fields = [field.name for field in Result._meta.concrete_fields]
    stored = Submission.objects.order_by("pk").values("text", "text_digest", "unit_digests", "notices")
    return list(Result.objects.order_by("pk").values(*fields)), list(stored)


def test_a_reread_brings_stored_texts_to_the_kept_form(capsys, settings, tmp_path):
    """Each run keeps its address; the text that was sent is still known; a second reread changes nothing."""
    settings.EXPORT_FOLDER = tmp_path
    two = pastes.FIRST_PASTE + pastes.diskinfo(description="ATA SAMPLE TWO", ident="CD12345678")
    received = receive_submission(two, Sender()).submission
    expected = received.text
    second = received.results.get(position=2)
    second.delete()  # as if an older version had read only the second run, as the first result
    first = received.results.get()
    Result.objects.filter(pk=first.pk).update(
        device=second.device, first_line=second.first_line + 30, last_line=second.last_line + 30
    )
    old_form = "".join(f"prose of [user-1], line {number}\n" for number in range(30)) + expected
    Submission.objects.filter(pk=received.pk).update(text=old_form, parser_version="1.5")
    call_command("reread", "--all", "--diff")
    printed = capsys.readouterr().out
    submission = Submission.objects.get()
    assert submission.text == "… 30 lines left out …\n" + expected
    names = dict(submission.results.values_list("device__model_name", "public_id"))
    assert names == {"SAMPLE TWO": submission.public_id, "MARVELL SD88SA02": f"{submission.public_id}-2"}
    assert f"{submission.public_id}  SAMPLE TWO" in printed
    assert "+ text: " in printed
    before = everything_about_results()
    call_command("reread", "--all")
    assert everything_about_results() == before
    assert capsys.readouterr().out.splitlines()[-1] == "1 text read again, 0 results changed"
    assert not receive_submission(two, Sender()).is_new
