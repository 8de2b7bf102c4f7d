"""Computes figures anew when what they rest on has changed: docs/adr/0039-figures-kept-current.md."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Max
from django.utils import timezone

from accounts.models import Study
from audit.models import Event
from exports.current_figures import queries
from jobs.actions import jobs
from jobs.models import Job, JobState

# A study whose last change is younger may be in the middle of many, as an adjudicator's sitting.
QUIET = timedelta(seconds=20)
# So many of these jobs are unfinished at once, so that one that a person starts does not wait long.
MOST_AT_ONCE = 4
# Kinds of jobs that change what figures rest on, without an event at their end.
SCORING = ("score", "import_scores")


@dataclass(frozen=True)
class Change:
    """The last change of a study. Equal ones mean that nothing happened in between."""

    n_events: int
    n_scorings: int
    at: datetime = field(compare=False)


class Watch:
    """What a worker has seen of each study. A new worker has seen nothing, and looks at all."""

    def __init__(self) -> None:
        self._seen: dict[str, Change] = {}

    def look(self, now: datetime) -> list[Job]:
        """Start jobs for figures that are out of date, and return them."""
        changes = {
            slug: change
            for slug, change in _changes().items()
            if change != self._seen.get(slug) and change.at <= now - QUIET
        }
        started: list[Job] = []
        # Without a requester there is nobody on whose behalf a job could start.
        for study in queries.with_requester(Study.objects.filter(slug__in=changes)).order_by("pk"):
            started += self._look_at(study, changes[study.slug])
        return started

    def _look_at(self, study: Study, change: Change) -> list[Job]:
        if study.is_archived:  # nothing in it is changed; that it is brought back is a change
            self._seen[study.slug] = change
            return []
        state = queries.state(study, since=change.at)
        if not state.due and not state.is_busy:
            self._seen[study.slug] = change
        n_unfinished = Job.objects.unfinished().filter(is_automatic=True).count()
        return start(study=study, due=state.due[: max(0, MOST_AT_ONCE - n_unfinished)])


WATCH = Watch()


def keep_current() -> list[Job]:
    return WATCH.look(timezone.now())


def start(*, study: Study, due: list[queries.Figures]) -> list[Job]:
    """Start the jobs of these figures on behalf of a requester of the study; without one, none."""
    by = queries.requester_of(study) if due else None
    if by is None:
        return []
    started = (
        jobs.start_automatically(
            study=study, kind=each.kind, key=each.key, params=each.params, by=by
        )
        for each in due
    )
    return [job for job in started if job is not None]


def _changes() -> dict[str, Change]:
    """The last change of each study, by two queries."""
    scored = Job.objects.filter(kind__in=SCORING, state=JobState.DONE).order_by()
    n_scorings = dict(scored.values_list("study__slug").annotate(n=Count("pk")))
    events = Event.objects.exclude(study="").order_by().values_list("study")
    return {
        slug: Change(n, n_scorings.get(slug, 0), last)
        for slug, n, last in events.annotate(n=Count("pk"), last=Max("at"))
    }
