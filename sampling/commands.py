"""Options of the commands that search for evidence."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from corpus.commands import plain
from scoring.commands import evidence_threshold_of_model
from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, EVIDENCE_BY_KIND


def add_search_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.3,
        help="the token F1 with an answer that a span of a passage must exceed",
    )
    parser.add_argument(
        "--scorer",
        default=DEFAULT_SCORER,
        metavar="MODEL",
        type=plain,
        help=(
            "the model of the SAS that filters sentences: a folder or hub name of a "
            "sentence-transformers model"
        ),
    )
    parser.add_argument(
        "--sas-threshold",
        metavar="T",
        help="the SAS with any answer of the turn that a sentence must exceed, or none, which keeps"
        f" all that overlaps; default: {EVIDENCE[DEFAULT_SCORER]} for {DEFAULT_SCORER}, measured on"
        " the shared task's answers (docs/adr/0003-evidence-threshold.md); of other models the paper's"
        f" {EVIDENCE_BY_KIND['cross-encoder']} for a cross-encoder, {EVIDENCE_BY_KIND['bi-encoder']}"
        " for a bi-encoder",
    )
    parser.add_argument(
        "--max-words",
        type=int,
        default=200,
        metavar="N",
        help="maximum of words of evidence per turn, most similar sentences first",
    )


def sas_threshold(given: str | None, model: str) -> float | None:
    if given is None:
        return evidence_threshold_of_model(model)
    if given == "none":
        return None
    try:
        return float(given)
    except ValueError as error:
        raise CommandError(f"--sas-threshold: {given} is neither a number nor none") from error
