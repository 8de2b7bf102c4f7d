from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.core.management.base import CommandError

from accounts.commands import FormCommand, Named, Option, existing_file
from accounts.models import Study
from annotation import control_keys_csv, schemes
from annotation.actions import batches, checks, controls, training
from annotation.commands import (
    BatchCommand,
    claim_seconds,
    deadline,
    qualification_called,
    text_in,
)
from annotation.forms.drafts import SCHEMES, DraftForm
from annotation.models import Batch, BatchPurpose
from annotation.queries import completion, opening_warnings
from corpus.problems import ImportProblems, Report
from sampling.commands import pool_called


class OpenForm(DraftForm):
    """The form of a draft for which the action says which scheme and pool do not fit."""

    def __init__(self, study: Study, *args: Any, **options: Any) -> None:
        super().__init__(study, *args, **options)
        self.fields["scheme"] = forms.ChoiceField(choices=SCHEMES)
        self.fields["pool"] = forms.ModelChoiceField(study.pools.all())


class Command(FormCommand, BatchCommand):
    help = "Create a batch of a pool under a scheme, and open it for annotators."
    expected: ClassVar = (
        batches.BatchError,
        checks.CheckError,
        controls.ControlError,
        ImportProblems,
    )
    named: ClassVar = (
        Named("--pool", pool_called, required=True),
        Named(
            "--qualification",
            qualification_called,
            metavar="NAME",
            help="that a person must hold to work on it, or the group; default: every annotator of the"
            " study; cannot be changed later",
        ),
        Named(
            "--trains-for",
            qualification_called,
            metavar="NAME",
            help="of training: the qualification that it decides on; each training for it is one attempt",
        ),
    )
    form_class = OpenForm
    form_options: ClassVar = {
        **dict.fromkeys(("pool", "qualification", "trains_for", "claim_minutes", "largest_share")),
        "name": Option(metavar="BATCH"),
        "purpose": Option(
            help="what it is for: training has control items only, in the order of --keys, and says"
            " after each judgement what was expected (docs/trusted-people.md)"
        ),
        "control_every": Option(
            help="one item in N is a hidden control item, once add_controls has added some; default: none"
        ),
        "repeat_every": Option(
            help="one item in N is one that the person judged before, at least 50 items ago"
            " (docs/annotators.md); not for rating, relevance, writing and training; default: none"
        ),
        "scheme": Option(
            help="relation asks about a pool of draw_pairs, writing about one of draw_writing,"
            " curation about one of draw_curation; preference, rating and relevance compare runs,"
            " on a pool of draw_comparison, and end with no verdict"
            " (docs/adr/0018-comparisons-of-systems.md)"
        ),
        "guideline": Option(metavar="FILE.md", read=text_in),
        "check": Option(metavar="FILE.txt", read=text_in),
        "deadline": Option(
            metavar="TIME",
            read=deadline,
            help="no new claims after this time: 2026-12-31T18:00, in UTC unless it names its time zone",
        ),
        "shows_context": Option("no-context", help="hide earlier questions"),
        "shows_markdown": Option("markdown"),
        "gives_feedback": Option("feedback"),
        "skip_reasons": Option(
            "skip-reason",
            metavar="TEXT",
            is_repeated=True,
            read="\n".join,
            help="a reason that annotators choose from when they skip an item; several times, in their"
            " order, at most 9; default: Wrong language, Offensive, Cannot be read, Needs an"
            " expert",
        ),
        "reward": Option(metavar="AMOUNT"),
        "currency": Option(help="of the reward"),
    }

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--keys",
            metavar="FILE.csv",
            help="of training: its items, with the columns turn, answer, label, explanation, as for add_controls",
        )
        parser.add_argument(
            "--claim-minutes",
            type=float,
            default=30,
            help="how long a claim lasts, 1 second to 1 year",
        )
        parser.add_argument(
            "--largest-share",
            type=float,
            help="largest share of the items for one annotator: more than 0, at most 1",
        )
        parser.add_argument(
            "--ask-without-evidence",
            action="store_true",
            help="include answers without evidence, instead of setting them aside",
        )

    def act(self, **options: Any) -> Mapping[str, Any]:
        things = {name: options[name] for name in ("pool", "qualification", "trains_for")}
        keys = {name: each.pk for name, each in things.items() if each is not None}
        seconds = claim_seconds(options["claim_minutes"])
        form = self.form(options, {**keys, "claim_minutes": 1}, study=options["study"])
        own = {"claim_seconds": seconds, "largest_share": options["largest_share"]}
        create, keyed = self._create(options)
        batch = create(
            **{**form.settings(), **own}, **keyed, study=options["study"], by=options["by"]
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
