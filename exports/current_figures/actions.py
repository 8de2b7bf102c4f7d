"""Computes figures anew when what they rest on has changed: docs/adr/0009-one-writer-at-a-time.md."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min
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
# Work on open batches writes no events: the judgements in them are counted, not at every look.
OPEN_EVERY = timedelta(minutes=1)
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

    Those before the first event that is younger than SETTLED_FOR are counted once: no transaction lasts so long
    that one could still be added between them. At each look the others are counted, whatever their time.
    """

    def __init__(self) -> None:
        self._counted_at: datetime | None = None
        self._until = 0  # the primary key of the last event that is counted in `_old`
        self._old: dict[str, EventCount] = {}

    def by_study(self, now: datetime) -> dict[str, EventCount]:
        """Return the counts of all studies that have events, in one query, or now and then three."""
        if self._counted_at is None or self._counted_at < now - 2 * SETTLED_FOR:
            until = _last_settled(now)
            self._old = self._with(_count(after=self._until, until=until))
            self._until, self._counted_at = until, now
        return self._with(_count(after=self._until))

    def _with(self, more: dict[str, EventCount]) -> dict[str, EventCount]:
        found = dict(self._old)
        for slug, each in more.items():
            before = found.get(slug, EventCount())
            times = [at for at in (before.last, each.last) if at is not None]
            found[slug] = EventCount(before.n + each.n, max(times, default=None))
        return found


def _last_settled(now: datetime) -> int:
    """Return the primary key before the first event that is younger than SETTLED_FOR."""
    younger = Event.objects.filter(at__gt=now - SETTLED_FOR).aggregate(first=Min("pk"))["first"]
    if younger is not None:
        return int(younger) - 1
    return Event.objects.aggregate(last=Max("pk"))["last"] or 0


def _count(*, after: int, until: int | None = None) -> dict[str, EventCount]:
    events = Event.objects.filter(pk__gt=after).exclude(study="").order_by().values_list("study")
    if until is not None:
        events = events.filter(pk__lte=until)
    counts = events.annotate(n=Count("pk"), last=Max("at"))
    return {slug: EventCount(n, last) for slug, n, last in counts}


class Watch:
    """What a worker has seen of each study. A new worker has seen nothing, and looks at all."""

    def __init__(self) -> None:
        self._seen: dict[str, Change] = {}
        self._events = CountedEvents()
        self._open_looked_at: datetime | None = None

    def look(self, now: datetime) -> list[Job]:
        """Start jobs for figures that are out of date, and return them."""
        return self._look_at_changes(now) + self._look_at_open_batches(now)

    def _look_at_open_batches(self, now: datetime) -> list[Job]:
        """Start jobs for the annotators of open batches in which much was judged since they were computed."""
        if self._open_looked_at is not None and now < self._open_looked_at + OPEN_EVERY:
            return []
        self._open_looked_at = now
        started: list[Job] = []
        for figures in queries.due_on_open_batches():
            if _n_at_work() >= MOST_AT_ONCE:
                break
            started += start(study=figures.study, due=[figures])
        return started

    def _look_at_changes(self, now: datetime) -> list[Job]:
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
        return start(study=study, due=state.due[: max(0, MOST_AT_ONCE - _n_at_work())])


def _n_at_work() -> int:
    return Job.objects.unfinished().filter(is_automatic=True).count()


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
