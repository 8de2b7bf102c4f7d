"""What builds the study, in order: steps of bench.volume, then commands and `fill NAME`, which bench.pages.contents does."""

from pathlib import Path

from bench.volume.__main__ import STUDY as STUDY_OPTION

STUDY = STUDY_OPTION.split()
SIMULATED = ("--annotators", "8", "--accuracy", "0.9", "--seed", "1")
VOLUME = (
    *("set-up", "import_dataset", "import_runs", "import_scores", "draw_pool", "judge", "settle"),
)
OPEN, SETTLED = "open", "plausibility"  # the two large batches, of the same pool
COMPARED_RUNS = ("run-00", "run-01", "run-02", "run-03")
DATASET = (*STUDY, "--dataset", "shared")

Command = list[str]


def after_the_volume(folder: Path, n_sample: int) -> dict[str, list[Command]]:
    """Return the commands of each step after bench.volume's."""
    return {
        "decisions": [["fill", "decisions"]],
        "evidence": _evidence(n_sample),
        "audit": _audit(),
        "releases": [
            ["fill", "all_real"],
            _release(folder, 1),
            ["fill", "exclusions"],
            _release(folder, 2),
            ["draw_precision_audit", *DATASET],
            ["draw_second_looks", *STUDY, "--batch", SETTLED],
        ],
        "comparison": _comparison(),
        "open batch": [
            [*_open(OPEN, SETTLED, "pool"), "--judgements", "2"],
            ["rehearse", *STUDY, "--batch", OPEN, *SIMULATED],
            ["fill", "all_real"],
            ["fill", "people"],
        ],
        "figures": [["fill", "figures"]],
    }


def _open(name: str, scheme: str, pool: str) -> Command:
    named = ["open_batch", *STUDY, "--name", name, "--scheme", scheme, "--pool", pool]
    return [*named, "--guideline", f"demo/guideline-{scheme}.md"]


def _judged(name: str) -> list[Command]:
    batch = [*STUDY, "--batch", name]
    return [["rehearse", *batch, *SIMULATED], ["close_batch", *batch]]


def _settled(name: str) -> list[Command]:
    return [*_judged(name), ["settle", *STUDY, "--batch", name, "--rule", "unanimous"]]


def _evidence(n_sample: int) -> list[Command]:
    """Without a model: all sentences that overlap are evidence."""
    find = ["find_evidence", *STUDY, "--batch", SETTLED, "--name", "evidence"]
    return [
        [*find, "--sample", str(n_sample), "--sas-threshold", "none"],
        _open("faithfulness", "faithfulness", "evidence"),
        *_settled("faithfulness"),
    ]


def _audit() -> list[Command]:
    return [
        ["draw_audit", *STUDY, "--pool", "pool", "--name", "audit"],
        _open("audit", "plausibility", "audit"),
        *_settled("audit"),
    ]


def _comparison() -> list[Command]:
    draw = ["draw_comparison", *DATASET, "--name", "compared", "--runs", *COMPARED_RUNS]
    return [
        [*draw, "--setup", "gold", "--questions", "50", "--answered-by", "two"],
        _open("rated", "rating", "compared"),
        *_judged("rated"),
        _open("preferred", "preference", "compared"),
        *_judged("preferred"),
    ]


def _release(folder: Path, number: int) -> Command:
    return ["release", *DATASET, "--out", str(folder / f"release-{number}"), "--set-aside-disputes"]
