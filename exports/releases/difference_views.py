"""The page of what differs between two releases of a data set."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from exports.models import Release
from exports.releases import difference_queries, reader
from exports.releases.changes import KINDS
from exports.releases.difference import Difference
from exports.writers.errors import ReleaseError
from jobs import failures
from pages.words import sentence

SHOWN = 200  # rows of a list; the counts are of all


@require_safe
@guards.study(Role.REQUESTER)
def release_diff(request: StudyRequest, study: Study, number: int, before: int) -> HttpResponse:
    releases = Release.objects.select_related("dataset", "study", "created_by").filter(study=study)
    after, earlier = (get_object_or_404(releases, number=each) for each in (number, before))
    context: dict[str, Any] = {"release": after, "before": earlier}
    try:
        context |= _contents(earlier, after, difference_queries.compared(earlier, after))
    except ReleaseError as error:
        context["objection"] = sentence(str(error))
    except (reader.BrokenReleaseError, OSError) as error:
        context["broken"] = failures.for_requesters(str(error))
    return render(request, "exports/releases/difference.html", context)


def _contents(before: Release, after: Release, found: Difference) -> dict[str, Any]:
    verdicts = found.verdicts[:SHOWN]
    groups = [(heading, found.of_kind(kind)) for kind, (_, heading) in KINDS.items()]
    return {
        "found": found,
        "notes": difference_queries.notes(before, after, found),
        "turns": [
            (words, turns[:SHOWN], len(turns))
            for words, turns in (
                ("Turns gone", found.turns_gone),
                ("Turns changed", found.turns_changed),
                ("Turns added", found.turns_added),
            )
            if turns
        ],
        "groups": [(heading, rows[:SHOWN], len(rows)) for heading, rows in groups if rows],
        "verdicts": list(
            zip(verdicts, difference_queries.acts(verdicts, before, after), strict=True)
        ),
        "acts_on_runs": difference_queries.acts_on_runs(before, after),
        "others": [each for each in difference_queries.earlier(after) if each != before],
    }
