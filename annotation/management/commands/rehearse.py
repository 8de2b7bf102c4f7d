from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import existing_file, number, whole_number
from annotation.actions import batches, qualifications, rehearsals, settlement
from annotation.actions import rehearsed_campaigns as campaigns
from annotation.actions.rehearsed_batches import BAR, N_KEYED, N_PILOT, RULE, Plan
from annotation.commands import BATCH, BatchCommand
from annotation.models import Batch
from annotation.rehearsal import people_file
from annotation.rehearsal.people import Habits
from annotation.schemes.choice import ChoiceScheme
from corpus.problems import ImportProblems, Report
from sampling.actions.pools import PoolError
from stats.aggregation import consensus

ANNOTATORS, ACCURACY = 6, 0.9
MOST_ITEMS = 10_000
# Options that say how a campaign is played, and the fields of its plan.
OF_CAMPAIGN = {"pilot": "n_pilot", "keyed": "n_keyed", "bar": "bar", "rule": "rule"}


class Command(BatchCommand):
    help = (
        "Let simulated annotators judge a whole batch. It stays marked as a rehearsal. With --campaign, play a campaign"
        " of pilot, training, qualification and full batch, of which nothing stays."
    )
    expected: ClassVar = (
        rehearsals.RehearsalError,
        campaigns.CampaignError,
        batches.BatchError,
        qualifications.QualificationError,
        settlement.SettleError,
        PoolError,
        ImportProblems,
    )
    named: ClassVar = (BATCH,)

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--annotators",
            type=int,
            help=f"at least the judgements of an item; default: {ANNOTATORS}, or the counts of --people",
        )
        parser.add_argument(
            "--accuracy",
            type=float,
            help=(
                "probability of the simulated true label; otherwise another label, at random;"
                f" default: {ACCURACY}"
            ),
        )
        parser.add_argument(
            "--people",
            metavar="FILE.toml",
            help="groups of people, with their errors by label, times, haste, and when they leave,"
            " instead of --accuracy; for schemes that ask for one label (docs/trusted-people.md)",
        )
        parser.add_argument("--seed", type=int, default=1)
        _add_campaign(parser)

    def act(self, **options: Any) -> Mapping[str, Any]:
        batch = options["batch"]
        if options["campaign"]:
            return _campaign(batch, options)
        if given := [f"--{each}" for each in OF_CAMPAIGN if options[each] is not None]:
            raise CommandError(f"{given[0]} goes with --campaign")
        how = {"seed": options["seed"], "by": options["by"]}
        if options["people"] is not None:
            people = _people(rehearsals.choice_scheme(batch), options)
            rehearsed = rehearsals.rehearse_with(batch=batch, people=people, **how)
        else:
            n_annotators, accuracy = options["annotators"], options["accuracy"]
            rehearsed = rehearsals.rehearse(
                batch=batch,
                n_annotators=ANNOTATORS if n_annotators is None else n_annotators,
                accuracy=ACCURACY if accuracy is None else accuracy,
                **how,
            )
        return {"batch": batch.name, **asdict(rehearsed)}


def _campaign(batch: Batch, options: Mapping[str, Any]) -> Mapping[str, Any]:
    if options["people"] is None:
        raise CommandError("--campaign needs --people: who is let in depends on who comes")
    people = _people(campaigns.scheme_of(batch), options)
    given = {OF_CAMPAIGN[each]: options[each] for each in OF_CAMPAIGN if options[each] is not None}
    plan = Plan(seed=options["seed"], **given)
    campaign = campaigns.rehearse_campaign(batch=batch, people=people, plan=plan, by=options["by"])
    return {"batch": batch.name, **asdict(plan), **campaign.to_dict()}


def _people(scheme: ChoiceScheme, options: Mapping[str, Any]) -> list[Habits]:
    """The people of the file, in the order of its groups. Raises ImportProblems."""
    if options["accuracy"] is not None:
        raise CommandError(
            "--accuracy goes without --people: the file says how often people are right"
        )
    report = Report(options["people"], "group")
    found = people_file.read(
        existing_file(options["people"]),
        prevalence=scheme.prevalence,
        n_people=options["annotators"],
        report=report,
    )
    report.finish()
    return found


def _add_campaign(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--campaign",
        action="store_true",
        help="with --people: play pilot, training, qualification and a full batch like this one,"
        " which may be a draft, open or closed and is not changed; nothing stays. For schemes"
        " of an answer with one label, without evidence",
    )
    parser.add_argument(
        "--pilot",
        type=whole_number(1, MOST_ITEMS),
        metavar="N",
        help=f"of a campaign: items of the pilot, at least, as questions are taken whole; default: {N_PILOT}",
    )
    parser.add_argument(
        "--keyed",
        type=whole_number(1, MOST_ITEMS),
        metavar="N",
        help=f"of a campaign: items of the training; default: {N_KEYED}",
    )
    parser.add_argument(
        "--bar",
        type=number(0.001, 0.999),
        help=f"of a campaign: for the lower bound of right answers in training; default: {BAR}",
    )
    parser.add_argument(
        "--rule",
        choices=sorted(consensus.RULES),
        help=f"of a campaign: by which its batches are settled, as in settle; default: {RULE}",
    )
