"""What the commands on pools share: the argument that names a pool, and the search for evidence."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import FormCommand, Named, Option
from accounts.models import Study
from jobs.commands import JobCommand
from sampling.forms.search import SearchForm, search_options
from sampling.models import Pool
from scoring.thresholds import DEFAULT_SCORER, EVIDENCE, EVIDENCE_BY_KIND


def pool_called(name: str, study: Study) -> Pool:
    pool = study.pools.select_related("dataset__study", "study").filter(name=name).first()
    if pool is None:
        there = study.pools.values_list("name", flat=True)
        raise CommandError(
            f"the study {study.slug} has no pool {name}; {listed(there, 'draw_pool')}"
        )
    return pool


def listed(names: Iterable[str], maker: str) -> str:
    """Return which things there are, or the command that makes one."""
    found = ", ".join(sorted(names))
    return f"it has {found}" if found else f"it has none: make one with {maker}"


def pool_named(help_text: str, **settings: Any) -> Named:
    return Named("--pool", pool_called, required=True, metavar="POOL", help=help_text, **settings)


class SearchCommand(FormCommand, JobCommand):
    """A command that searches for evidence. --sas-threshold none keeps all sentences that overlap."""

    form_class: ClassVar[type[SearchForm]] = SearchForm
    form_options: ClassVar[Mapping[str, Option | None]] = {
        "name": Option(metavar="POOL"),
        "scorer": Option(metavar="MODEL"),
        "sas_threshold": None,
    }

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--sas-threshold",
            metavar="T",
            help="the SAS with any answer of the turn that a sentence must exceed, or none, which keeps"
            f" all that overlaps; default: {EVIDENCE[DEFAULT_SCORER]} for {DEFAULT_SCORER}, measured on"
            " the shared task's answers (docs/adr/0003-evidence-threshold.md); of other models the paper's"
            f" {EVIDENCE_BY_KIND['cross-encoder']} for a cross-encoder, {EVIDENCE_BY_KIND['bi-encoder']}"
            " for a bi-encoder",
        )

    def search(self, options: Mapping[str, Any], **arguments: Any) -> dict[str, Any]:
        """Return the parameters of a rule that every search has, and the cleaned data as `cleaned`."""
        given = options["sas_threshold"]
        values = {} if given in (None, "none") else {"sas_threshold": given}
        self.cleaned = self.form(options, values, **arguments).cleaned_data
        found = search_options(self.cleaned)
        return found | ({"sas_threshold": None} if given == "none" else {})
