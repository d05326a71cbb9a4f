"""The ranking once more in plain Python, from rows of results and their senders, without code of results.ranking."""

import math
from collections import defaultdict
from io import StringIO
from statistics import NormalDist, median

import pytest
from django.core.management import call_command

from results.demo.draw import draw_runs
from results.demo.store import store_runs
from results.models import ClassRanking, DeviceRanking, Member, Result, Submission
from results.ranking.standing import ranks_of
from results.ranking.tiers import tiers_of
from tests.factories import rank_everything

FIGURES = {"sync_write": "latency_4k_us", "zil": "zil_latency_us"}
FIELDS = (
    "device_id", "device__device_class", "method", "metrics", "has_unit", "ranking_unit", "submission__owner_id",
    "submission__survey_id", "submission__source_url", "submission__batch_id", "submission__sender_digest",
    "submission__is_approved", "submission__quality", "submission__figure_digits",
)  # fmt: skip
LOSS = (1, 1, 1.160, 1.092, 1.198, 1.135, 1.214, 1.160, 1.223, 1.176)
SMALL = {2: 1.196, 3: 1.495, 4: 1.363, 5: 1.206, 6: 1.200, 7: 1.140, 8: 1.129, 9: 1.107}
TIERS = ((30, "excellent"), (100, "very good"), (300, "good"), (1000, "slow"))


class Row:
    """A result with what decides whether and how it counts."""

    def __init__(self, values, *, moderators, known):
        self.device, self.device_class, self.method, self.metrics, has_unit, unit, *sent = values
        owner, survey, url, batch, digest, is_approved, quality, self.digits = sent
        page = url.partition("#")[0]
        by_digest = f"{'network' if batch is None else 'author'} {digest}" if digest else "unknown"
        self.sender = f"account {owner}" if owner is not None else f"source {page}" if survey else by_digest
        self.network = f"network {digest}" if digest and batch is None else self.sender
        self.unit = unit if has_unit else self.sender
        self.is_members = owner is not None
        self.is_accountable = bool(survey or batch or is_approved or owner in moderators or owner in known)
        self.is_confirmed = quality in ("a", "b") or is_approved or owner in moderators
        self.latency_us = self.metrics.get("latency_4k_us")
        self.is_vouched = self.is_accountable


def vouch(rows):
    """Members' results that agree with accountable ones of the device."""
    sure = [row.latency_us for row in rows if row.is_accountable and row.latency_us]
    for row in rows:
        agrees = row.latency_us and any(row.latency_us / 2 <= us <= row.latency_us * 2 for us in sure)
        row.is_vouched = row.is_accountable or bool(row.is_members and agrees)


def people(rows):
    found = {id(row): row.sender for row in rows}
    for _ in range(2):
        for link in ("network", "sender"):
            groups = defaultdict(list)
            for row in rows:
                groups[getattr(row, link)].append(row)
            lowest = {key: min(found[id(row)] for row in group) for key, group in groups.items()}
            found = {id(row): lowest[getattr(row, link)] for row in rows}
    return found


def units(rows):
    """The rows of each independent unit, in the order of their owners' names."""
    person, holders, measured = people(rows), defaultdict(set), defaultdict(set)
    for row in rows:
        holders[row.unit].add(person[id(row)])
        measured[person[id(row)]].add(row.unit)
    owner = {
        unit: min(names, key=lambda name: (len(measured[name]), name)) for unit, names in holders.items()
    }
    found = defaultdict(list)
    for row in rows:
        found[owner[row.unit]].append(row)
    return [found[name] for name in sorted(found)]


def t_quantile(freedom):
    """The 95 % quantile: the expansion is what methodology.md states, to three digits."""
    z = NormalDist().inv_cdf(0.95)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def half_width(logs, spread):
    n = len(logs)
    if n > 1:
        distance = median(abs(log - median(logs)) for log in logs)
        own = 1.4826 * distance * (SMALL.get(n) or n / (n - 0.8))
        spread = math.sqrt((8 * spread**2 + (n - 1) * own**2) / (8 + n - 1))
    loss = LOSS[n - 1] if n <= len(LOSS) else math.sqrt(math.pi / 2)
    return t_quantile(7 + n) * spread * loss / math.sqrt(n)


def scored(rows, figure):
    """The logs of the independent units' figures."""
    values = [
        [math.log(row.metrics[figure]) for row in unit if row.metrics.get(figure)] for unit in units(rows)
    ]
    return [median(for_unit) for for_unit in values if for_unit]


def pooled(for_devices):
    """The spread of these devices' units; None with fewer than ten devices of several units."""
    several = [logs for logs in for_devices if len(logs) > 1]
    if len(several) < 10:
        return None
    pairs = [
        abs(logs[at] - logs[at + 1]) for logs in several for at in range(0, min(len(logs) // 2, 10) * 2, 2)
    ]
    steps = max(1, round(1.4826 * median(pairs) / math.sqrt(2) / 0.005))
    return round(steps * 0.005, 3)


def worked_out(board):
    """The rows of a board by device and method: class, score, low, high, number of units, and whether it is main."""
    figure = FIGURES[board]
    moderators = set(Member.objects.filter(is_staff=True).values_list("pk", flat=True))
    approved = Submission.objects.filter(is_approved=True, state="published", owner__isnull=False)
    known = set(approved.values_list("owner", flat=True))
    for_devices = defaultdict(list)
    for values in Result.objects.filter(is_ranked=True).values_list(*FIELDS):
        row = Row(values, moderators=moderators, known=known)
        for_devices[row.device].append(row)
    rows = {}
    for device, results in for_devices.items():
        vouch(results)
        for method in {row.method for row in results}:
            for_method = [row for row in results if row.method == method]
            counted = [row for row in for_method if row.is_vouched] or for_method
            logs = scored(counted, figure)
            if logs:
                sure = [row for row in counted if row.is_accountable]
                first = (
                    len(scored(sure, "latency_4k_us")) if sure else 0,
                    any(row.is_confirmed for row in sure),
                    all(row.is_vouched for row in counted),
                    len(logs),
                    method == "diskinfo",
                )
                rows[device, method] = {
                    "class": results[0].device_class,
                    "logs": logs,
                    "first": first,
                    "digits": min(
                        (row.digits for row in counted if row.digits and row.metrics.get(figure)),
                        default=None,
                    ),
                }
    for (device, method), row in rows.items():
        row["is_main"] = row["first"] == max(peer["first"] for key, peer in rows.items() if key[0] == device)
        same = [peer for key, peer in rows.items() if key[1] == method]
        for_class = pooled(peer["logs"] for peer in same if peer["class"] == row["class"])
        spread = for_class or pooled(peer["logs"] for peer in same) or 0.5
        half, score = half_width(row["logs"], spread), median(row["logs"])
        row.update(score=math.exp(score), low=math.exp(score - half), high=math.exp(score + half))
    return rows


def factor_of(rows):
    pairs = [
        abs(math.log(main["score"] / other["score"]))
        for (device, method), main in rows.items()
        if main["is_main"]
        for (also, another), other in rows.items()
        if also == device and another != method
    ]
    if len(pairs) < 10:
        return 2.0
    pairs.sort()
    place = 0.9 * (len(pairs) - 1)
    below, share = int(place), place % 1
    above = pairs[min(below + 1, len(pairs) - 1)]
    return float(f"{math.exp(pairs[below] + share * (above - pairs[below])):.2g}")


def tier(low, high):
    return {
        next((word for end, word in TIERS if figure < end), "helps hard disks only") for figure in (low, high)
    }


@pytest.fixture(params=["demo", "shipped"])
def _data(request, db):
    if request.param == "demo":
        list(store_runs(list(draw_runs(400, seed=3))))
    else:
        for command in ("load_catalogue", "load_survey"):
            call_command(command, stdout=StringIO(), stderr=StringIO())
    rank_everything()


@pytest.mark.usefixtures("_data")
@pytest.mark.parametrize("board", FIGURES)
def test_every_row_and_every_place_is_what_plain_arithmetic_gives(board):
    rows = worked_out(board)
    stored = {(entry.device_id, entry.method): entry for entry in DeviceRanking.objects.filter(board=board)}
    assert stored.keys() == rows.keys()
    for key, ranking in stored.items():
        row = rows[key]
        expected = (len(row["logs"]), row["is_main"], row["digits"])
        assert (ranking.unit_count, ranking.is_main, ranking.digits) == expected, key
        assert (ranking.score, ranking.low, ranking.high) == pytest.approx(
            (row["score"], row["low"], row["high"]), rel=1e-4
        )
    factor = factor_of(rows)
    assert ClassRanking.objects.get(board=board, device_class="", method="").factor == pytest.approx(factor)
    main = {key: row for key, row in rows.items() if row["is_main"]}
    ranks = ranks_of({device for device, _method in main}, board)
    for (device, method), row in main.items():
        others = [
            (other, 1.0 if key[1] == method else factor)
            for key, other in main.items()
            if key[0] != device and other["class"] == row["class"]
        ]
        ahead = sum(other["high"] * margin < row["low"] for other, margin in others)
        behind = sum(row["high"] * margin < other["low"] for other, margin in others)
        found = ranks[device]
        assert (found.first_possible, found.device_count) == (1 + ahead, 1 + len(others)), device
        assert found.last_possible == max(found.rank, 1 + len(others) - behind), device
        shown = tiers_of(stored[device, method].low, stored[device, method].high)
        assert tier(row["low"], row["high"]) == {shown[0].label, shown[-1].label}
