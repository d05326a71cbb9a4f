"""Submissions, passes and the whole ranking at the same time: no two wait for each other, and nothing is lost."""

import random

import pytest
from django.db import transaction

from results.core.data_version import bump_data_version
from results.models import Device, Result
from results.ranking.boards import ClassBoard, dirty_boards, place_board
from results.ranking.medians import rank_everything, refresh_all, rerank_devices
from results.ranking.standing import main_rows
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_result
from tests.results.ranking.test_whole import place_waiting, rows

pytestmark = pytest.mark.django_db(transaction=True)
NVME = ClassBoard("sync_write", "nvme")
SENDERS = 4
TURNS = 25


def send(devices, seed):
    """What many submissions do: results come to some devices and go from others, all their rows made anew."""
    source = random.Random(seed)  # noqa: S311 - drawing, not secrets
    for _ in range(TURNS):
        keys = [device.pk for device in source.sample(devices, 3)]
        with transaction.atomic():
            list(Device.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("model_name"))
            Result.objects.filter(device_id=keys[0]).update(is_ranked=False, not_ranked_reason="held")
            for key in keys[1:]:
                device = Device(pk=key)
                make_result(
                    100 * 2.718 ** source.gauss(0, 0.3), device=device, unit=f"{seed} {source.random()}"
                )
            rerank_devices(keys)
            bump_data_version()


def place(seed):
    source = random.Random(seed)  # noqa: S311
    for _ in range(2 * TURNS):
        waiting = dirty_boards()
        if waiting:
            place_board(source.choice(waiting))


def rank_whole():
    for _ in rank_everything():
        pass


def test_submissions_passes_and_full_rankings_do_not_deadlock():
    classes = ["nvme", "hdd", "optane"]
    devices = [make_device(device_class=classes[number % 3]) for number in range(12)]
    with threads(SENDERS + 3) as start:
        calls = [start(send, devices, seed) for seed in range(SENDERS)]
        calls += [start(place, seed) for seed in range(2)]
        calls += [start(rank_whole) for _ in range(4)]
        for call in calls:
            call.result()
    place_waiting()
    at_once = rows()
    rank_whole()
    assert rows() == at_once
    counts = [row["result_count"] for row in at_once[0] if row["board"] == "sync_write"]
    assert sum(counts) == Result.objects.filter(is_ranked=True).count()


def test_rows_to_delete_and_to_update_are_locked_in_one_order():
    """A submission that takes the second before the first meets a pass that does the opposite."""
    first, second = make_result(20).device, make_result(30).device
    rerank_devices([first.pk, second.pk])
    place_waiting()
    Result.objects.filter(device=first).update(is_ranked=False, not_ranked_reason="held")
    with threads() as start:
        with transaction.atomic():
            main_rows().select_for_update().get(device=first)
            submission = start(rerank_devices, [first.pk, second.pk])
            wait_until_queueing(1)
            main_rows().select_for_update().get(device=second)
        submission.result()
    assert [row.device for row in main_rows().all()] == [second]


def test_a_full_ranking_waits_for_a_running_pass():
    first, second = make_result(20).device, make_result(30).device
    rerank_devices([first.pk, second.pk])
    main_rows().update(board_spread=None)
    with threads() as start:
        with transaction.atomic():
            main_rows().select_for_update().get(device=second)
            passing = start(place_board, NVME)
            wait_until_queueing(1)
            ranking = start(rank_whole)
            wait_until_queueing(2)
        passing.result()
        ranking.result()
    assert dirty_boards() == []


def test_a_full_ranking_waits_for_a_submission_and_includes_it():
    device = make_result(20).device
    with threads() as start:
        with transaction.atomic():
            make_result(30, device=device)
            rerank_devices([device.pk])
            ranking = start(rank_whole)
            wait_until_queueing(1)
        ranking.result()
    assert main_rows().get().unit_count == 2


def test_a_submission_waits_for_a_full_ranking_and_is_not_overwritten():
    device = make_result(20).device
    with threads() as start:
        with transaction.atomic():
            list(refresh_all())
            make_result(30, device=device)
            submission = start(add_result, device)
            wait_until_queueing(1)
        submission.result()
    rank_whole()
    assert main_rows().get().unit_count == 3


def add_result(device):
    make_result(40, device=device)
    rerank_devices([device.pk])
