"""The scheduler of `celery beat`, named in the settings: nothing else imports it."""

from contextlib import suppress

from celery.beat import PersistentScheduler


class Scheduler(PersistentScheduler):
    """Celery's scheduler, which carries on if it can't store when tasks were last due: a full disk would kill it."""

    def sync(self) -> None:
        with suppress(OSError):  # as all errors of dbm are
            super().sync()
