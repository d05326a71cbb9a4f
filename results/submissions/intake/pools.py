"""Storing the pools of submissions, with the devices that are their log devices."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from django.db.models import Value
from django.db.models.functions import Replace

from results.catalogue.matching.devices import Identity
from results.kinds.envelope import DescribedPool, Run
from results.models import Device, DeviceAlias, Pool, PoolLog, Submission
from results.models.result import public_id_of

PlacedPool = tuple[int, int]  # the id of its submission, and its position there


def described_devices(run: Run) -> Iterator[Run]:
    """The runs by which the devices are found that a run is about: itself, or the log devices of its pool."""
    if run.pool is None:
        yield run
    else:
        yield from run.pool.logs


def with_known_logs(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs, with log devices of unknown capacity as the only device of their name, if there is one.

    One query, none if all capacities are known. A name by id has underscores for the blanks of a model.
    """
    names = {
        log.model_name.replace(" ", "_")
        for run in runs
        for log in (run.pool.logs if run.pool else ())
        if log.capacity_bytes is None
    }
    if not names:
        return tuple(runs)
    by_id = Replace("model_name", Value(" "), Value("_"))
    rows = Device.objects.annotate(by_id=by_id).filter(by_id__in=names)
    found: dict[str, list[Identity]] = {}
    for name, model_name, capacity in rows.values_list("by_id", "model_name", "capacity_bytes"):
        found.setdefault(name, []).append((model_name, capacity))
    return tuple(_with_known_logs(run, found) for run in runs)


def _with_known_logs(run: Run, found: Mapping[str, Sequence[Identity]]) -> Run:
    if run.pool is None:
        return run
    logs = []
    for log in run.pool.logs:
        known = found.get(log.model_name.replace(" ", "_"), ()) if log.capacity_bytes is None else ()
        model_name, capacity = known[0] if len(known) == 1 else log.identity
        logs.append(replace(log, model_name=model_name, capacity_bytes=capacity))
    return replace(run, pool=replace(run.pool, logs=tuple(logs)))


def store_pools(
    runs: Iterable[tuple[Submission, Run]], devices: Mapping[Identity, Device], *, is_new: bool
) -> dict[PlacedPool, int]:
    """Insert or update the pools of these runs, and return their ids. No query if there are none."""
    found = {
        (submission.pk, run.pool.position): (submission, run.pool)
        for submission, run in runs
        if run.pool is not None
    }
    if not found:
        return {}
    Pool.objects.bulk_create(
        (_pool(submission, pool) for submission, pool in found.values()),
        update_conflicts=True,
        unique_fields=["submission", "position"],
        update_fields=_STORED,
    )
    submissions = {submission_id for submission_id, _ in found}
    rows = Pool.objects.filter(submission__in=submissions).values_list("submission_id", "position", "pk")
    ids = {(submission_id, position): pk for submission_id, position, pk in rows}
    logs = {
        (ids[placed], device_id)
        for placed, (_, pool) in found.items()
        for device_id in _log_devices(pool, devices)
    }
    if not is_new:  # equal rows stay
        found_logs = PoolLog.objects.filter(pool__in=ids.values())
        stored = {(log.pool_id, log.device_id): log.pk for log in found_logs}
        PoolLog.objects.filter(pk__in=[pk for log, pk in stored.items() if log not in logs]).delete()
        logs -= stored.keys()
    PoolLog.objects.bulk_create(
        PoolLog(pool_id=pool_id, device_id=device_id) for pool_id, device_id in sorted(logs)
    )
    return ids


def drop_pools(submission_ids: Collection[int], *, used: Collection[int] = ()) -> None:
    """Remove the pools of these submissions that no result is about any more; pools that were the same remain so."""
    dropped = Pool.objects.filter(submission__in=submission_ids).exclude(pk__in=used)
    gone = list(dropped.values_list("pk", flat=True))
    if not gone:
        return
    for pk in gone:
        same = Pool.objects.filter(same_as=pk).exclude(pk__in=gone).order_by("pk")
        point_to_first(list(same.values_list("pk", flat=True)))
    Pool.objects.filter(pk__in=gone).delete()


def point_to_first(same: Sequence[int]) -> None:
    """Make the first of these pools the one that the others are the same as."""
    if same:
        Pool.objects.filter(pk=same[0]).update(same_as=None)
        Pool.objects.filter(pk__in=same[1:]).update(same_as=same[0])


_STORED = ("layout", "is_told", "health", "properties", "platform", "zfs_version")


def _pool(submission: Submission, pool: DescribedPool) -> Pool:
    return Pool(
        submission=submission,
        position=pool.position,
        public_id=public_id_of(submission.public_id, pool.position),
        layout=[dict(vdev) for vdev in pool.layout],
        is_told=pool.is_told,
        health=pool.health,
        properties=dict(pool.properties),
        platform=pool.platform,
        zfs_version=pool.zfs_version,
    )


def _log_devices(pool: DescribedPool, devices: Mapping[Identity, Device]) -> set[int]:
    named = Device.objects.filter(slug__in=pool.log_slugs).values_list("pk", flat=True)
    merged = DeviceAlias.objects.filter(slug__in=pool.log_slugs).values_list("device_id", flat=True)
    stated = set(named.union(merged)) if pool.log_slugs else set()
    return stated | {devices[log.identity].pk for log in pool.logs}
