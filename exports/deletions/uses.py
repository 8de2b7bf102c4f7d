"""What uses a pool, a run, a version of a data set or a study, in sentences. Only what nothing uses is deleted."""

from accounts.models import BackgroundAnswer, Consent, Role, RoleGrant, Study, User
from corpus.models import Dataset, Run
from exports.withdrawals import queries
from sampling.models import Pool
from scoring.models import ImportedScore


def of_pool(pool: Pool) -> list[str]:
    jobs = pool.study.jobs.unfinished().filter(key=pool.name) if pool.built_at is None else ()
    return [
        *queries.rests_on_pool(pool),
        *(f"The job {job.pk} builds it: cancel that first." for job in jobs),
    ]


def of_run(run: Run) -> list[str]:
    scores = ImportedScore.objects.filter(answer__run=run).count()
    return [
        *queries.rests_on_run(run),
        *([f"Scores that were imported for its answers: {scores:,}."] if scores else []),
    ]


def of_dataset(dataset: Dataset) -> list[str]:
    jobs = dataset.study.jobs.unfinished().filter(params__dataset=dataset.pk)
    continuing = dataset.continued_by.order_by("version")
    return [
        *queries.rests_on_dataset(dataset),
        *queries.sentence_naming("Versions that continue it", map(str, continuing)),
        *(f"The job {job.pk} ({job}) works on it." for job in jobs.order_by("pk")),
    ]


def of_study(study: Study) -> list[str]:
    """Pools, batches and releases need a data set."""
    datasets = study.datasets.order_by("name", "version")
    jobs = study.jobs.unfinished().order_by("pk")
    return [
        *queries.sentence_naming("Data sets", map(str, datasets)),
        *(f"The job {job.pk} ({job}) works in it: cancel it first." for job in jobs),
    ]


def goes_with_study(study: Study, user: User) -> list[str]:
    """Return in sentences what is deleted with the study, for the page that asks."""
    others = study.memberships.exclude(user=user).order_by("number").select_related("user")
    n_agreed = Consent.objects.filter(membership__study=study).count()
    n_answers = BackgroundAnswer.objects.filter(membership__study=study).exclude(text="").count()
    requested = RoleGrant.objects.filter(membership__user=user, role=Role.REQUESTER)
    is_only = not requested.exclude(membership__study=study).exists() and not user.is_superuser
    counts = (
        ("texts of guidelines", study.guidelines.count()),
        ("invitations", study.invitations.count()),
        ("agreements to the consent", n_agreed),
        ("answers to background questions", n_answers),
        ("jobs with their results", study.jobs.count()),
    )
    return [
        "It has no data set, so no run, pool, batch or release either.",
        "Its title, description, licence, citation, consent and settings are deleted.",
        *queries.sentence_naming(
            "Members who lose their roles", (str(each.user) for each in others)
        ),
        *(f"Deleted with it: {what} ({n:,})." for what, n in counts if n),
        *(
            [
                "You are requester of no other study: afterwards an administrator creates one for you."
            ]
            if is_only
            else []
        ),
        "It cannot be brought back. The history keeps what was done in it, and no other study gets its short name.",
    ]
