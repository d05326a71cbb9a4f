"""Whether a container is well: `python -m slogdb.probe URL` (it answers 200) or `… FILE SECONDS` (it is no older)."""

import sys
import time
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

TIMEOUT_S = 4
SHOWN_BYTES = 500  # of an answer that says what is wrong


def main(arguments: list[str]) -> int:
    """0 when well, 1 when not, 2 for arguments that make no sense."""
    match arguments:
        case [url] if url.startswith("http://"):
            return 0 if _answers(url) else 1
        case [path, seconds] if seconds.isdecimal():
            return 0 if _is_fresh(Path(path), int(seconds)) else 1
    sys.stderr.write("usage: python -m slogdb.probe http://HOST:PORT/PATH | FILE SECONDS\n")
    return 2


def _answers(url: str) -> bool:
    try:
        with urlopen(url, timeout=TIMEOUT_S) as response:  # noqa: S310 - http, as main has seen to
            return bool(response.status == 200)
    except HTTPError as error:
        sys.stderr.write(f"{url}: {error}: {error.read(SHOWN_BYTES).decode(errors='replace')}\n")
        return False
    except (URLError, OSError) as error:
        sys.stderr.write(f"{url}: {error}\n")
        return False


def _is_fresh(path: Path, seconds: int) -> bool:
    """By the newest of the files whose names begin so: a shelf may be several, and the one named not written to."""
    try:
        written_at = max(
            one.stat().st_mtime for one in path.parent.iterdir() if one.name.startswith(path.name)
        )
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{path}: {error if isinstance(error, OSError) else 'not there'}\n")
        return False
    age_s = time.time() - written_at
    if age_s > seconds:
        sys.stderr.write(f"{path}: written {age_s:.0f} s ago\n")
    return age_s <= seconds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
