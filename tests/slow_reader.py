"""A reading of texts that doesn't end, for the child process that reads them."""

import time
from typing import Any


def never_end(*_: Any, **__: Any) -> None:
    while True:
        time.sleep(60)
