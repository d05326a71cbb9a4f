"""A moderator decides in the browser, without scripts, and the owner reads why."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from results.models import AuditEntry, Member, Submission
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.browser.people import come_in, press
from tests.factories import make_member, make_moderator
from tests.patience import becomes, fits

pytestmark = pytest.mark.django_db(transaction=True)
DECISIONS = {
    "held": (State.HELD, "The serial number is on a photo: may it stay?", 404),
    "rejected": (State.REJECTED, "These figures are of another device.", 410),
    "approved": (State.PUBLISHED, "Looked at: the device is what it says.", 200),
}


@pytest.fixture
def owner_page(browser: Browser, live_server) -> Iterator[Page]:
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, reduced_motion="reduce"
    )
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("action", DECISIONS)
def test_the_owner_reads_what_was_decided_and_why(page_without_scripts, owner_page, settings, action):
    settings.HOLD_FIRST_RESULTS = action == "approved"  # so that there is something to approve
    state, reason, answer = DECISIONS[action]
    owner, moderator = make_member(), make_moderator()
    sent = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission
    result = sent.results.get().public_id

    page = page_without_scripts
    come_in(page, moderator)
    page.goto("/moderation/")
    page.get_by_role("link", name=sent.results.get().device.model_name).click()
    page.locator(f"[name=action][value={action}]").check()
    page.locator("[name=reason]").fill(reason)
    press(page, "Save decision")
    expect(page).to_have_url(re.compile("/moderation/$"))
    assert Submission.objects.get().state == state
    assert AuditEntry.objects.get(action=action).actor_id == moderator.pk
    page.goto("/moderation/log/")
    expect(page.get_by_text(reason)).to_have_count(1)

    come_in(owner_page, owner)
    owner_page.goto("/account/results/")
    owner_page.locator(f"a[href*='{sent.public_id}']").first.click()
    decided = owner_page.get_by_role("region", name="Moderators’ decisions")
    expect(decided).to_contain_text(reason)
    assert owner_page.context.request.get(f"/api/v1/results/{result}/").status == answer


@pytest.mark.parametrize("path", ["/moderation/", "/moderation/log/"])
@pytest.mark.parametrize(
    ("name", "most"), [("Featherstonehaugh", 1), ("a_forum_name_without_any_blank_in_it_at_", 3)]
)
def test_a_tablet_gives_its_room_to_the_reasons(page, path, name, most):
    owner, moderator = make_member(display_name=name), make_moderator()
    Member.objects.filter(pk=moderator.pk).update(display_name=name)
    moderator.refresh_from_db()
    sent = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission
    reason = "The serial number is on a photo of the linked post: may it stay there? Please ask who took it."
    decide(sent, Action.HELD, moderator=moderator, reason=reason)
    page.set_viewport_size({"width": 768, "height": 900})
    come_in(page, moderator)
    page.goto(path)
    why = page.get_by_role("cell", name=reason)
    expect(why).to_be_visible()
    lines = """cell => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(line => Math.round(line.top))).size;
    }"""
    becomes(lambda: why.evaluate(lines) <= 5, expected=True)  # four, unless letters are as wide as DejaVu's
    day = page.get_by_role("cell", name=re.compile(r"^20\d\d-\d\d-\d\d"))
    becomes(lambda: day.evaluate(lines), 1)
    becomes(lambda: page.get_by_role("cell", name=name).evaluate(lines) <= most, expected=True)
    fits(page, 768)
