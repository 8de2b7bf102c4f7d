from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import existing_file, whole_number
from annotation import control_keys_csv, schemes
from annotation.actions import batches, checks, controls, training
from annotation.commands import (
    BatchCommand,
    claim_seconds,
    deadline,
    pool_called,
    qualification_called,
    reward,
    text_in,
)
from annotation.models import Batch, BatchPurpose, Grouping
from annotation.models.limits import (
    LEAST_CONTROL_EVERY,
    LEAST_REPEAT_EVERY,
    MOST_CONTROL_EVERY,
    MOST_EXPECTED_SECONDS,
    MOST_ITEMS_AHEAD,
    MOST_JUDGEMENTS,
    MOST_OPPONENTS,
    MOST_REPEAT_EVERY,
    default_skip_reasons,
)
from annotation.queries import completion, opening_warnings
from corpus.problems import ImportProblems, Report
from sampling import pay


class Command(BatchCommand):
    help = "Create a batch of a pool under a scheme, and open it for annotators."
    expected: ClassVar = (
        batches.BatchError,
        checks.CheckError,
        controls.ControlError,
        ImportProblems,
    )

    def add_options(self, parser: ArgumentParser) -> None:
        _add_purpose(parser)
        _add_work(parser)
        _add_people(parser)
        _add_pay_and_screen(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        asked, trains_for = options["qualification"], options["trains_for"]
        create, keyed = self._create(options)
        batch = create(
            **keyed,
            study=options["study"],
            purpose=options["purpose"],
            trains_for=trains_for and qualification_called(trains_for, options["study"]),
            name=options["name"],
            scheme=options["scheme"],
            pool=pool_called(options["pool"], options["study"]),
            by=options["by"],
            guideline=text_in(options["guideline"]),
            check=text_in(options["check"]),
            judgements_per_item=options["judgements"],
            grouping=options["grouping"],
            claim_seconds=claim_seconds(options["claim_minutes"]),
            prefetch_depth=options["items_ahead"],
            skip_reasons=options["skip_reasons"] or default_skip_reasons(),
            largest_share=options["largest_share"],
            control_every=options["control_every"],
            repeat_every=options["repeat_every"],
            opponents_per_answer=options["opponents"],
            deadline_at=deadline(options["deadline"]),
            reward=reward(options["reward"]),
            currency=options["currency"],
            expected_seconds=options["expected_seconds"],
            shows_context=not options["no_context"],
            shows_markdown=options["markdown"],
            gives_feedback=options["feedback"],
            qualification=asked and qualification_called(asked, options["study"]),
            seed=options["seed"],
        )
        n_asked = batch.items.filter(n_open__gt=0).count()
        n_items = batch.items.count()
        return {
            "batch": batch.name,
            "state": batch.state,
            "purpose": batch.purpose,
            "n_items": n_items,
            "n_without_evidence": 0 if batch.is_training else n_items - n_asked,
            "n_judgements_wanted": n_asked * batch.judgements_per_item,
            "is_rehearsal": batch.is_rehearsal,
            "warnings": [
                *warnings(batch),
                *audience_warnings(batch),
                *opening_warnings.warnings(batch),
            ],
        }

    def _create(self, options: Mapping[str, Any]) -> tuple[Callable[..., Batch], dict[str, Any]]:
        """The action that opens the batch, with the arguments that only it takes."""
        if options["keys"] is None:
            return batches.create_and_launch, {
                "ask_without_evidence": options["ask_without_evidence"]
            }
        if options["purpose"] != BatchPurpose.TRAINING:
            raise CommandError(
                "--keys: only a training consists of keyed items; add_controls hides some in another batch"
            )
        report = Report(options["keys"], "row")
        labels = schemes.verdict_scheme(options["scheme"]).labels
        rows = control_keys_csv.read(existing_file(options["keys"]), labels, report)
        report.finish()
        return training.create_and_launch, {"rows": rows, "report": report}

    def lines(self, summary: Mapping[str, Any]) -> Iterable[str]:
        fields = dict(summary)
        # "is rehearsal: no" could be wrong soon: the next command may be `rehearse`.
        if not fields["is_rehearsal"]:
            del fields["is_rehearsal"]
        return super().lines(fields)


def warnings(batch: Batch) -> list[str]:
    has_rule = schemes.get(batch.scheme).has_verdict and not batch.is_training
    if batch.judgements_per_item > 1 or not has_rule:
        return []
    return [
        "one judgement is too few for a rule: settle sets such items aside, until adjudicate or mark_correct"
        " decides them, or ask_again brings one more"
    ]


def audience_warnings(batch: Batch) -> list[str]:
    """Return a warning if nobody holds the qualification that the batch asks for; [] otherwise."""
    if batch.is_for_everybody or batch.qualification is None or completion.people_of(batch):
        return []
    return [
        f"nobody who annotates holds {batch.qualification.name} yet: grant it, or nobody can begin"
    ]


def _add_purpose(parser: ArgumentParser) -> None:
    """Its name, what is asked of which answers, and what for."""
    parser.add_argument("--name", required=True, metavar="BATCH")
    parser.add_argument("--scheme", required=True, choices=schemes.names())
    parser.add_argument("--pool", required=True)
    parser.add_argument(
        "--purpose",
        choices=BatchPurpose.values,
        default=BatchPurpose.WORK.value,
        help="training: control items only, and after each judgement what was expected; default: work",
    )
    parser.add_argument(
        "--trains-for",
        metavar="NAME",
        help="of training: the qualification that it decides on; each training for it is one attempt",
    )
    parser.add_argument(
        "--keys",
        metavar="FILE.csv",
        help="of training: its items in their order, with the columns turn, answer, label, explanation",
    )


def _add_work(parser: ArgumentParser) -> None:
    """How often each item is judged, by which guideline, in which order, and how it is held and skipped."""
    parser.add_argument(
        "--judgements", type=whole_number(1, MOST_JUDGEMENTS), default=2, help="of an item"
    )
    parser.add_argument("--guideline", metavar="FILE.md")
    parser.add_argument(
        "--check",
        metavar="FILE.txt",
        help="questions on the guideline, which people answer before their first item",
    )
    parser.add_argument(
        "--grouping",
        choices=Grouping.values,
        default=Grouping.QUESTION.value,
        help=(
            "order of items: by question; by question, with the least judged items "
            "first; or shuffled"
        ),
    )
    parser.add_argument("--claim-minutes", type=float, default=30)
    parser.add_argument(
        "--items-ahead",
        type=whole_number(1, MOST_ITEMS_AHEAD),
        help="that one person holds; default: about ten minutes of work",
    )
    parser.add_argument(
        "--skip-reason",
        action="append",
        dest="skip_reasons",
        metavar="TEXT",
        help="that annotators choose from, several times in their order; default: four common ones",
    )


def _add_people(parser: ArgumentParser) -> None:
    """Who works on it, how much of it one person gets, and until when."""
    parser.add_argument("--largest-share", type=float, help="of the items, for one person")
    parser.add_argument(
        "--control-every",
        type=whole_number(LEAST_CONTROL_EVERY, MOST_CONTROL_EVERY),
        metavar="N",
        help="one item in N is a hidden control item, once add_controls has added some; default: none",
    )
    parser.add_argument(
        "--repeat-every",
        type=whole_number(LEAST_REPEAT_EVERY, MOST_REPEAT_EVERY),
        metavar="N",
        help="one item in N is one that the person judged before, at least 50 items ago; default: none",
    )
    parser.add_argument(
        "--opponents",
        type=whole_number(1, MOST_OPPONENTS),
        help=(
            "for preference: number of other answers that each answer is compared with; "
            "default: all"
        ),
    )
    parser.add_argument(
        "--qualification",
        metavar="NAME",
        help="that a person must hold to work on it, or the group; default: every annotator",
    )
    parser.add_argument(
        "--deadline",
        metavar="TIME",
        help=(
            "no new claims after this time: 2026-12-31T18:00, in UTC unless it names its time zone"
        ),
    )


def _add_pay_and_screen(parser: ArgumentParser) -> None:
    """What a judgement pays and takes, and what is shown."""
    parser.add_argument("--reward", metavar="AMOUNT", help="of one judgement, as 0.06")
    parser.add_argument("--currency", choices=list(pay.SIGNS), default="")
    parser.add_argument(
        "--expected-seconds",
        type=whole_number(1, MOST_EXPECTED_SECONDS),
        help="that a judgement takes; default: the scheme's own",
    )
    parser.add_argument("--no-context", action="store_true", help="hide earlier questions")
    parser.add_argument("--markdown", action="store_true", help="show the answers as Markdown")
    parser.add_argument(
        "--feedback",
        action="store_true",
        help="once settled, annotators see how their labels agree with the final ones",
    )
    parser.add_argument(
        "--ask-without-evidence",
        action="store_true",
        help="ask about answers without evidence too, instead of setting them aside",
    )
    parser.add_argument("--seed", type=int, default=1)
