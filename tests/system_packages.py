"""What tests need of the system: `python -m tests.system_packages` installs what is missing."""

import os
import shutil
import subprocess
import sys

# By the command: the package of Debian. original-awk is the awk of FreeBSD.
PACKAGES = {
    "busybox": "busybox",
    "dash": "dash",
    "fio": "fio",
    "gawk": "gawk",
    "mawk": "mawk",
    "original-awk": "original-awk",
    "curl": "curl",
    "openssl": "openssl",
    "wipefs": "util-linux",
    "nginx": "nginx",
    "restic": "restic",
    "npm": "npm",
}


def missing_commands() -> list[str]:
    """The commands that this machine lacks."""
    return [command for command in PACKAGES if shutil.which(command) is None]


def install(*packages: str) -> None:
    """As root where there is apt."""
    apt_get = shutil.which("apt-get")
    if packages and apt_get and os.geteuid() == 0:
        sys.stdout.write(f"Installing {', '.join(packages)}\n")
        subprocess.run([apt_get, "update", "--quiet=2"])
        subprocess.run([apt_get, "install", "--yes", "--quiet=2", "--no-install-recommends", *packages])


def main() -> int:
    """Install what is missing; exit code 1 when something still is."""
    install(*(PACKAGES[command] for command in missing_commands()))
    if missing := missing_commands():
        sys.stderr.write(
            f"missing here, so tests of slogdb-submit, the proxy or clients will fail: {', '.join(missing)}\n"
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
