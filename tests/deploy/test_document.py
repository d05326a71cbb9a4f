"""docs/self-hosting.md and day-two.md: their commands name what there is, and install what can be had."""

import re
import shlex
import subprocess

from django.core.management import get_commands, load_command_class

from tests.deploy.compose import GIVEN, ROOT, services

SERVICES = services(GIVEN)
TEXT = (ROOT / "docs" / "self-hosting.md").read_text()
DAY_TWO = (ROOT / "docs" / "day-two.md").read_text()
BLOCKS = re.findall(r"(?:^ {4}.*\n(?:\n(?= {4}))?)+", TEXT + DAY_TWO, re.MULTILINE)
OPTIONS = r"(?: -T| --rm| --no-deps| --detach| --wait| --(?:publish|entrypoint|signal) \S+)*"
TO_A_SERVICE = re.compile(rf"docker compose (?:exec|run|kill|up){OPTIONS} ([a-z][\w-]*)")
# What Debian 12 and 13 both have. Debian 12 has neither Docker Engine 26 nor Compose.
OF_DEBIAN = {"ca-certificates", "curl", "git", "openssl"}


def test_each_block_is_what_a_shell_can_read():
    assert len(BLOCKS) > 15
    for block in BLOCKS:
        done = subprocess.run(
            ["/bin/bash", "-n"], input=block.replace("CONTAINER", "x"), text=True, capture_output=True
        )
        assert (done.returncode, done.stderr) == (0, ""), block


def test_commands_go_to_containers_that_there_are():
    named = TO_A_SERVICE.findall(TEXT + DAY_TWO)
    assert {"web", "backup", "database", "proxy", "certificates"} <= set(named) <= set(SERVICES)


def test_commands_of_the_site_are_there():
    named = set(re.findall(r"manage\.py ([a-z_]+)", TEXT + DAY_TWO))
    assert {"backup", "restore", "createsuperuser"} <= named <= {*get_commands(), "version"}


def test_options_of_commands_are_there():
    """Those of the site's own commands, and words that they don't know are refused."""
    commands = get_commands()
    given = re.findall(r"manage\.py ([a-z_]+)((?: (?:\"[^\"]*\"|[^\s\"`<|;&)]+))*)", TEXT + DAY_TWO)
    for name, words in given:
        if commands.get(name) == "results":
            parser = load_command_class("results", name).create_parser("manage.py", name)
            parser.parse_args(shlex.split(words.partition(" #")[0].replace("…", "")))
    assert len(given) > 20


def test_what_is_installed_is_in_a_source_of_packages_that_is_known_by_then():
    before, source, after = TEXT.partition("https://download.docker.com/linux/debian $(")
    assert set(installed(before)) == OF_DEBIAN
    assert source
    assert {"docker-ce", "docker-compose-plugin"} <= set(installed(after))


def installed(text):
    return [name for line in re.findall(r"apt-get install --yes ([^#\n]+)", text) for name in line.split()]


def test_the_private_key_is_for_the_proxy_alone():
    """Its file has to be open to the proxy's user, so its folder is closed to all others."""
    _, group = SERVICES["proxy"]["user"].split(":")
    assert f"chown 0:{group} deploy/tls && sudo chmod 750 deploy/tls" in TEXT
