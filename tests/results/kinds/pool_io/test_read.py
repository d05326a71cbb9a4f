"""What is read of texts about pools; none of these tests needs a database."""

from parsers.paste import parse_paste
from results.kinds.answers import ALL, SenderAnswers
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.registry import find_runs
from tests.results.kinds.pool_io import texts

KEY = b"a key of 32 characters, for tests"


def read(text, **told):
    paste = parse_paste(text, unit_key=KEY)
    return find_runs(paste, answers=SenderAnswers({ALL: told} if told else {}))


def conditions(run):
    return {label: value for label, value in POOL_IO.conditions(run.payload).items() if value}


def test_the_average_since_boot_says_nothing_about_a_run():
    since_boot = texts.IOSTAT.replace("-vy", "-v")
    (alone,) = read(texts.dd() + since_boot).runs
    (sampled,) = read(texts.dd() + since_boot + texts.HEAD + texts.SAMPLE).runs
    assert alone.payload["log_activity"] is None
    assert sampled.payload["log_activity"]["samples"] == 1


def test_impossible_and_unsynced_figures_are_explained(subtests):
    for text, codes in [
        (texts.properties() + texts.dd(), ["zeros_compressed"]),
        (texts.properties(compression="off", sync="standard") + texts.dd(), ["not_synced"]),
        (texts.dd(), ["zeros_of_unknown_effect", "not_synced"]),
        (texts.dd(seconds="1.1"), ["zeros_compressed", "not_synced"]),
        (texts.dd(operands="if=/dev/urandom of=/x/y bs=1M oflag=sync"), []),
        (texts.properties(compression="off", sync="disabled") + texts.fio(), ["not_synced"]),
    ]:
        with subtests.test(codes=codes):
            (run,) = read(text).runs
            assert [flag.code for flag in run.flags] == codes


def test_a_read_of_data_that_fits_into_memory_is_explained():
    text = texts.dd(operands="if=/x/y of=/dev/null bs=1M")
    assert [flag.code for flag in read(text, arc_gib="64").runs[0].flags] == ["data_in_memory"]
    assert not read(text, arc_gib="2").runs[0].flags


def test_dd_on_a_device_node_is_refused_and_pointed_to_fio():
    found = read(texts.dd(operands="if=/dev/zero of=/dev/sdb bs=1M"))
    assert (found.runs, [gap.code for gap in found.left_out]) == ((), ["dd_on_device"])
    assert "fio or diskinfo" in found.notices[0].message


def test_fio_is_about_a_pool_only_if_one_is_shown_or_described(subtests):
    for text, told, kind in [
        (texts.fio(), {}, "fio_file"),
        (texts.fio(), {"vdev_type": "mirror"}, "fio_pool"),
        (texts.status() + texts.fio(), {}, "fio_pool"),
        (texts.status() + texts.fio(path="/dev/zvol/zwergspitz/v"), {}, "fio_pool"),
        (texts.status() + texts.fio(path="/dev/nvme0n1"), {}, "fio"),
    ]:
        with subtests.test(told=told, kind=kind):
            runs = read(texts.LOG_DEVICE + text, **told).runs
            assert [run.method for run in runs] == [kind]


def test_fio_without_sync_is_a_workload_and_not_refused():
    paste = parse_paste(texts.status() + texts.fio(options="--direct=1"), unit_key=KEY)
    found = find_runs(paste)
    assert ([run.method for run in found.runs], found.left_out) == (["fio_pool"], ())
    assert [warning.code for warning in paste.warnings] == ["not_sync_write"]
    assert found.notices_with(paste.warnings) == []


def test_what_the_sender_states_of_one_run_holds_for_that_run_only():
    paste = parse_paste(texts.dd() + texts.dd(seconds="10"), unit_key=KEY)
    second = find_runs(paste).runs[1].answers_key
    told = SenderAnswers({ALL: {"log": "none", "access": "nfs"}, second: {"log": "device", "sync": "always"}})
    first, second = find_runs(paste, answers=told).runs
    assert (conditions(first)["Log device"], conditions(first)["Access"]) == ("none", "NFS")
    assert conditions(second)["Log device"] == "yes, model not stated"
    assert (first.payload["sync_mode"], second.payload["sync_mode"]) == ("", "always")


def test_a_told_layout_describes_the_only_pool():
    told = {"vdev_type": "raidz2", "vdev_count": "2", "vdev_members": "6", "log": "device"}
    (run,) = read(texts.dd(), **told).runs
    assert run.pool.is_told
    assert [(vdev["role"], vdev["type"], vdev["members"]) for vdev in run.pool.layout] == [
        ("data", "raidz2", 6),
        ("data", "raidz2", 6),
        ("log", "disk", 1),
    ]
    assert read(texts.status() + texts.dd(), **told).runs[0].pool.is_told is False


def test_runs_below_different_folders_are_on_different_pools():
    text = "".join(
        texts.dd(operands=f"if=/dev/zero of={path} bs=1M") for path in ("/ssd/a", "/hdd/a", "/ssd/b")
    )
    assert [run.pool.position for run in read(text).runs] == [1, 2, 1]


def test_two_pools_are_told_apart_by_the_folder_of_the_run():
    other = texts.status(pool="dackel", logs="").replace("mirror", "raidz1")
    runs = read(
        texts.status() + other + texts.dd() + texts.dd(operands="if=/dev/zero of=/dackel/x bs=1M")
    ).runs
    assert [(run.pool.position, run.pool.layout[0]["type"]) for run in runs] == [(1, "mirror"), (2, "raidz1")]
    assert [conditions(run)["Log device"] for run in runs] == ["yes, model not stated", "none"]


def test_a_log_device_named_twice_is_one():
    logs = "\tlogs\n\t  nvme0n1   ONLINE       0     0     0\n\t  nvme0n1   ONLINE       0     0     0\n"
    (run,) = read(texts.LOG_DEVICE + texts.status(logs=logs) + texts.dd()).runs
    assert [log.model_name for log in run.pool.logs] == [texts.LOG_MODEL]


def test_the_health_of_a_degraded_pool_is_kept():
    (run,) = read(texts.status(state="DEGRADED") + texts.dd()).runs
    assert run.pool.health == "DEGRADED"


def test_fifty_runs_are_fifty_results():
    runs = read(texts.status() + "".join(texts.dd(seconds=str(seconds)) for seconds in range(5, 55))).runs
    assert (len(runs), {run.pool.position for run in runs}) == (50, {1})


def test_timings_are_read_and_bad_ones_refused_with_their_line():
    paste = parse_paste(texts.status(), unit_key=KEY)
    timings = ("Windows installation took 5:31", "boot: 80 s", "what?")
    found = find_runs(paste, answers=SenderAnswers({"timing-1": {"log": "none"}}, timings))
    assert [(run.payload["work"], conditions(run)["Log device"]) for run in found.runs] == [
        ("Windows installation", "none"),
        ("boot", "yes, model not stated"),
    ]
    assert [notice.message.partition(":")[0] for notice in found.notices] == ["Timing 3"]
    assert POOL_IO.compute(found.runs[0].payload) == {"pool_seconds": 331.0}


def test_a_timing_needs_no_benchmark_beside_its_pool():
    paste = parse_paste(texts.status(), unit_key=KEY)
    assert [run.code for run in find_runs(paste).notices_with(paste.warnings)] == ["no_benchmark"]
    timed = find_runs(paste, answers=SenderAnswers(timings=("boot: 80 s",)))
    assert timed.notices_with(paste.warnings) == []


def test_no_name_is_left_in_what_is_stored():
    paste = parse_paste(texts.WHOLE, unit_key=KEY)
    stored = paste.text + repr([(run.pool, run.path, run.payload) for run in find_runs(paste).runs])
    for name in (texts.POOL, texts.HOST, texts.DATASET, "ZWERG0815"):
        assert name not in stored
