"""bin/screenshots keeps up with the site, and docs/screenshots/ with it."""

import re
from pathlib import Path

from PIL import Image

from tests.addresses import public_addresses, url_names
from tests.screenshots import CHOSEN, PAGES, WAYS, with_fewer_colors

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"
MAX_BYTES = 6_000_000
# Answers for programs, and pictures; steps of a sign-in look like its first one
OTHERS = re.compile(
    r"/(?:api|feeds|account|devices/.*badge|oembed|.well-known|healthz|readyz|metrics|slogdb-submit|.*\.[a-z]+)\b"
)


def test_every_page_has_its_picture():
    named = url_names(PAGES.values())
    assert url_names(path for path in public_addresses()[200] if not OTHERS.match(path)) <= named | set(WAYS)
    assert {"account_login", "account_signup", "account_reset_password"} <= named


def test_the_folder_contains_only_the_chosen_screenshots():
    chosen = {f"{name}-{look}.png" for name, looks in CHOSEN.items() for look in looks}
    held = {file.name: file.stat().st_size for file in FOLDER.iterdir()}
    assert set(held) == chosen
    assert sum(held.values()) <= MAX_BYTES


def test_the_readme_shows_one_of_them():
    readme = (FOLDER.parents[1] / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"docs/screenshots/([\w.-]+)", readme)
    assert shown
    assert all((FOLDER / name).is_file() for name in shown)


def test_a_palette_keeps_grounds_and_thin_curves():
    ground, card, curve = (251, 251, 250), (255, 255, 255), (194, 65, 12)
    picture = Image.new("RGB", (400, 200), ground)
    picture.paste(card, (0, 0, 200, 150))
    for number in range(3000):  # edges of letters: more than a palette holds
        picture.putpixel((number % 200, 100 + number // 200), (number % 256,) * 2 + (number % 241,))
    picture.paste(curve, (220, 180, 380, 182))
    shown = with_fewer_colors(picture).convert("RGB")
    for spot, color in {(300, 50): ground, (100, 50): card, (300, 181): curve}.items():
        pairs = zip(shown.getpixel(spot), color, strict=True)
        assert all(abs(is_now - was) <= 1 for is_now, was in pairs)
