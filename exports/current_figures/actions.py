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
# Older events are not counted again at each look.
SETTLED_FOR = timedelta(days=1)
# Kinds of jobs that change what figures rest on, without an event at their end.
SCORING = ("score", "import_scores")


@dataclass(frozen=True)
class Change:
    """The last change of a study. Equal ones mean that nothing happened in between."""

    n_events: int
    n_scorings: int
    at: datetime = field(compare=False)


@dataclass(frozen=True)
class EventCount:
    n: int = 0
    last: datetime | None = None


class CountedEvents:
    """The number of events of each study, and the time of the last one.

    Those that are older than SETTLED_FOR are counted once: no transaction lasts so long that one could still be
    added to them. At each look the others are counted.
    """

    def __init__(self) -> None:
        self._until: datetime | None = None
        self._old: dict[str, EventCount] = {}

    def by_study(self, now: datetime) -> dict[str, EventCount]:
        """Return the counts of all studies that have events, in one query, or now and then two."""
        if self._until is None or self._until < now - 2 * SETTLED_FOR:
            until = now - SETTLED_FOR
            self._old, self._until = self._with(_count(self._until, until)), until
        return self._with(_count(self._until, None))

    def _with(self, more: dict[str, EventCount]) -> dict[str, EventCount]:
        found = dict(self._old)
        for slug, each in more.items():
            found[slug] = EventCount(found.get(slug, EventCount()).n + each.n, each.last)
        return found


def _count(after: datetime | None, until: datetime | None) -> dict[str, EventCount]:
    events = Event.objects.exclude(study="").order_by().values_list("study")
    if after is not None:
        events = events.filter(at__gt=after)
    if until is not None:
        events = events.filter(at__lte=until)
    counts = events.annotate(n=Count("pk"), last=Max("at"))
    return {slug: EventCount(n, last) for slug, n, last in counts}


class Watch:
    """What a worker has seen of each study. A new worker has seen nothing, and looks at all."""

    def __init__(self) -> None:
        self._seen: dict[str, Change] = {}
        self._events = CountedEvents()

    def look(self, now: datetime) -> list[Job]:
        """Start jobs for figures that are out of date, and return them."""
        changes = {
            slug: change
            for slug, change in _changes(self._events.by_study(now)).items()
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


def _changes(events: dict[str, EventCount]) -> dict[str, Change]:
    """The last change of each study."""
    scored = Job.objects.filter(kind__in=SCORING, state=JobState.DONE).order_by()
    n_scorings = dict(scored.values_list("study__slug").annotate(n=Count("pk")))
    return {
        slug: Change(each.n, n_scorings.get(slug, 0), each.last)
        for slug, each in events.items()
        if each.last is not None
    }
