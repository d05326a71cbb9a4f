"""What can be read off the code itself: nothing fetched, nothing pinned loosely, no secret lying about."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = {
    "requests", "httpx", "aiohttp", "urllib3", "urllib.request", "http.client", "ftplib", "telnetlib", "smtplib",
    "poplib", "imaplib", "xmlrpc.client", "pycurl", "paramiko",
}  # fmt: skip
# Programs that an operator runs by hand, and that ask their own site and no other.
OWN_SITE_ONLY = ("slogdb/local/", "slogdb/probe.py")
DANGEROUS = {"eval", "exec", "compile", "__import__"}
LOADERS = {
    "pickle",
    "marshal",
    "shelve",
    "dill",
    "xml.dom.minidom",
    "xml.sax",
}
# lxml reads HTML alone, with the parser that knows no entities of a document's own and opens no file.
XML_READERS = (
    "ElementTree.fromstring", "ElementTree.parse", "ElementTree.XML", "iterparse", "XMLParser", "etree.parse",
    "etree.XML", "lxml.objectify",
)  # fmt: skip
# Each alternative begins with plain letters of one case: only then does `re` skip to the next of them.
TOKEN = re.compile(
    r"-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----|AKIA[0-9A-Z]{16}\b|gh[pousr]_[A-Za-z0-9]{36}\b"
    r"|slogdb_(?!0{40})[0-9a-f]{40}\b|slogdb_claim_[\w-]{27}\b|xox[bap]-\w{10,}"
)
ASSIGNED = re.compile(r"(?:secret_key|unit_key|password)\s*[:=]\s*['\"]?[a-z0-9+/_-]{40,}")  # in lower case
PIN = re.compile(r"^[a-z0-9][\w.-]*(?:\[[\w,]+\])?==[\w.!+]+(?: ; [^\\]+)?(?: \\)?$")


def sources():
    for folder in ("parsers", "results", "slogdb"):
        yield from sorted((ROOT / folder).rglob("*.py"))


@cache
def imports_and_calls(path):
    """The names of the modules and what is taken from them, and of the functions that are called."""
    imported, called = set(), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called.add(node.func.id)
    return imported, called


def test_user_supplied_urls_are_never_fetched():
    found = {str(path.relative_to(ROOT)) for path in sources() if CLIENTS & imports_and_calls(path)[0]}
    assert sorted(name for name in found if not name.startswith(OWN_SITE_ONLY)) == []


def test_user_input_is_never_executed_or_unpickled():
    found = []
    for path in sources():
        imported, called = imports_and_calls(path)
        found += [f"{path}: {name}" for name in (called & DANGEROUS) | (imported & LOADERS)]
        text = path.read_text(encoding="utf-8")
        found += [f"{path}: {reader}" for reader in XML_READERS if reader in text]
    assert found == []


def test_every_pin_names_one_version_and_its_hashes():
    for path in sorted(ROOT.glob("requirements*.txt")):
        wanted = None
        for line in path.read_text().splitlines():
            if line.startswith("    --hash=sha256:"):
                wanted = None
                continue
            assert wanted is None, f"{path.name}: {wanted} has no hash"
            assert PIN.fullmatch(line), f"{path.name}: {line}"
            wanted = line
        assert wanted is None, f"{path.name}: {wanted} has no hash"


def pins(name):
    lines = (ROOT / name).read_text().splitlines()
    return {line.removesuffix(" \\") for line in lines if PIN.fullmatch(line)}


def test_the_image_and_the_checks_have_every_package_of_the_site_in_the_same_version():
    assert pins("requirements.txt") - pins("requirements-telemetry.txt") == set()
    assert pins("requirements-telemetry.txt") - pins("requirements-dev.txt") == set()


def test_the_repository_contains_no_secrets():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)  # noqa: S607
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and path.stat().st_size < 2_000_000:
            text = path.read_bytes().decode("latin-1")
            matches = [*TOKEN.finditer(text), *ASSIGNED.finditer(text.lower())]
            found += [f"{name}: {match[0][:30]}" for match in matches]
    assert found == []
    assert not {".env", "var/serve.env"} & set(listed.stdout.split("\0"))
