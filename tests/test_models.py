"""What every model keeps, whoever writes it: walked over all models, so that a new one is held to it too.

Whether a constraint keeps a promise is asked of the constraint itself: its condition is evaluated, by the
database, for every combination of telling values of the fields that it names.
"""

import datetime
from collections.abc import Iterator
from itertools import product
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import CheckConstraint, F, Field, Model, Q, Value

from tests.cases import all_cases

APPS = ("accounts", "audit", "jobs", "corpus", "scoring", "sampling", "annotation", "exports")
UNKNOWN = "unheard of"

# Times that have nobody beside them, each with the reason.
NOBODYS_ACT = {
    "accounts.ApiToken.expires_at": "a plan for the future, part of the token that its person made",
    "accounts.Invitation.expires_at": "a plan for the future, part of the invitation that somebody created",
    "accounts.SecondFactor.last_wrong_at": "nobody knows who enters a wrong code",
    "jobs.Job.finished_at": "the work ends, or fails, by itself; who cancels it stands in an Event",
    "annotation.Batch.deadline_at": "a plan for the future, part of the batch that somebody created",
    "sampling.Pool.built_at": "a job ends; created_by says who asked for the pool",
    "scoring.Scorer.created_at": "a program or an import makes it; the import's Event says who asked",
}
# Acts of the person that the row, or the row it hangs on, is about.
OF_THE_ROWS_OWN_PERSON = {
    "accounts.ApiToken.created_at": "user",
    "accounts.ApiToken.revoked_at": "user",
    "accounts.SecondFactor.created_at": "user",
    "accounts.Consent.consented_at": "membership.user",
    "accounts.BackgroundAnswer.answered_at": "membership.user",
    "annotation.Assignment.claimed_at": "annotator",
    "annotation.Assignment.submitted_at": "annotator",
    "annotation.Assignment.expires_at": "annotator",
    "annotation.Flag.flagged_at": "assignment.annotator",
    "annotation.Judgement.shown_at": "assignment.annotator",
    "annotation.Judgement.submitted_at": "assignment.annotator",
    "annotation.Reservation.handed_at": "annotator",
    "annotation.SourcesShown.shown_at": "shown_to",
}


def all_models() -> list[type[Model]]:
    return [model for app in APPS for model in apps.get_app_config(app).get_models()]


def own_fields() -> Iterator[tuple[str, type[Model], Field]]:
    """Every column that is declared in one of our models, by name."""
    for model in all_models():
        for field in model._meta.local_fields:
            yield f"{model._meta.app_label}.{model.__name__}.{field.name}", model, field


Fields = dict[str, tuple[type[Model], Field]]


def times() -> Fields:
    return {
        name: (model, field) for name, model, field in own_fields() if field.name.endswith("_at")
    }


def acts() -> Fields:
    """The times at which somebody did something that the row itself has to name."""
    exempt = {*NOBODYS_ACT, *OF_THE_ROWS_OWN_PERSON}
    return {name: found for name, found in times().items() if name not in exempt}


def choices() -> Fields:
    return {name: (model, field) for name, model, field in own_fields() if field.choices}


def check_constraints(model: type[Model], field: str) -> list[CheckConstraint]:
    """The check constraints of the model that name the field."""
    checks = [each for each in model._meta.constraints if isinstance(each, CheckConstraint)]
    return [each for each in checks if field in fields_of(each.condition)]


def fields_of(condition: Q) -> set[str]:
    return {lookup.split("__")[0] for lookup, _ in leaves(condition)}


def leaves(condition: Q) -> Iterator[tuple[str, Any]]:
    for child in condition.children:
        if isinstance(child, Q):
            yield from leaves(child)
        else:
            yield child


def telling_values(model: type[Model], constraint: CheckConstraint, name: str) -> list[Any]:
    """Values of a field that can make a difference to the condition: those it names, none, and any other."""
    field = model._meta.get_field(name)
    values: list[Any] = [None] if field.null else []
    if field.choices:
        values += [value for value, _ in field.choices]
    elif isinstance(field, models.BooleanField):
        values += [False, True]
    elif isinstance(field, models.DateTimeField):
        values.append(datetime.datetime(2026, 11, 21, tzinfo=datetime.UTC))
    elif isinstance(field, models.CharField | models.TextField):
        values += ["", "something"]
    else:
        values.append(1)
    for lookup, value in leaves(constraint.condition):
        if lookup.split("__")[0] == name and not isinstance(value, bool | F):
            values += value if isinstance(value, list | tuple) else [value]
    return [value for n, value in enumerate(values) if value not in values[:n]]


def admits(model: type[Model], constraint: CheckConstraint, **known: Any) -> bool:
    """Whether some row with these values passes the constraint."""
    names = sorted(fields_of(constraint.condition) | named_by_expressions(constraint.condition))
    open_names = [name for name in names if name not in known]
    spaces = [telling_values(model, constraint, name) for name in open_names]
    return any(
        constraint.condition.check(typed(model, known | dict(zip(open_names, values, strict=True))))
        for values in product(*spaces)
    )


def typed(model: type[Model], row: dict[str, Any]) -> dict[str, Value]:
    """The values as the columns hold them: a bare NULL has no type to be compared by."""
    return {name: Value(value, model._meta.get_field(name)) for name, value in row.items()}


def named_by_expressions(condition: Q) -> set[str]:
    found = [value for _, value in leaves(condition)]
    return {expression.name for value in found for expression in flat(value)}


def flat(value: Any) -> Iterator[F]:
    if isinstance(value, F):
        yield value
    elif hasattr(value, "get_source_expressions"):
        for each in value.get_source_expressions():
            yield from flat(each)


def test_all_apps_are_walked():
    assert len(all_models()) > 30
    assert len(acts()) > 10
    assert len(choices()) > 10


@all_cases(("model", "field"), acts().values(), ids=acts())
def test_a_time_has_somebody_beside_it(db, model, field):
    """A time that is always there needs its `_by` always; one that may be missing, a constraint:

    | at      | by      | row     |
    | ------- | ------- | ------- |
    | missing | missing | taken   |
    | set     | set     | taken   |
    | set     | missing | refused |
    | missing | set     | refused |
    """
    by = model._meta.get_field(f"{field.name.removesuffix('_at')}_by")
    assert by.null == field.null
    if field.null:
        moment, somebody = datetime.datetime(2026, 11, 21, tzinfo=datetime.UTC), 1
        checks = check_constraints(model, field.name)
        taken = {
            (bool(at), bool(who)): all(
                admits(model, each, **{field.name: at, by.name: who}) for each in checks
            )
            for at in (None, moment)
            for who in (None, somebody)
        }
        assert taken == {
            (False, False): True,
            (True, True): True,
            (True, False): False,
            (False, True): False,
        }


def test_no_exemption_has_become_needless():
    exempt = [*NOBODYS_ACT, *OF_THE_ROWS_OWN_PERSON]

    assert set(exempt) <= set(times())
    for name in exempt:
        app, model, field = name.split(".")
        names = {each.name for each in apps.get_model(app, model)._meta.local_fields}
        assert f"{field.removesuffix('_at')}_by" not in names
    for name, path in OF_THE_ROWS_OWN_PERSON.items():
        app, model, _ = name.split(".")
        holder = apps.get_model(app, model)
        for step in path.split("."):
            holder = holder._meta.get_field(step).related_model
        assert holder is apps.get_model("accounts.User")


@all_cases(("model", "field"), choices().values(), ids=choices())
def test_a_choice_is_one_of_the_known_values(db, model, field):
    checks = check_constraints(model, field.name)
    known = [value for value, _ in field.choices]

    assert any(not admits(model, each, **{field.name: UNKNOWN}) for each in checks)
    for value in [*known, *([""] if field.blank else [])]:
        assert all(admits(model, each, **{field.name: value}) for each in checks), value


@all_cases("model", all_models(), ids=[model._meta.label for model in all_models()])
def test_no_default_order_spans_a_relation(model):
    """`study` would order by the study's own order, by a join in every query; `study_id` does not."""
    relations = {field.name for field in model._meta.local_fields if field.is_relation}
    spanning = [
        name
        for name in map(str, model._meta.ordering)
        if "__" in name or name.removeprefix("-") in relations
    ]

    assert spanning == []


@all_cases("model", all_models(), ids=[model._meta.label for model in all_models()])
def test_every_row_can_be_named(model):
    assert model.__str__ is not Model.__str__


@all_cases(("model", "field"), choices().values(), ids=choices())
def test_a_known_value_fits_into_its_column(model, field):
    assert max(len(value) for value, _ in field.choices) <= field.max_length


def test_the_walker_sees_a_constraint_that_lets_an_unknown_value_through(db):
    """The instrument itself: what it must find, and what it must not complain of."""
    job = apps.get_model("jobs.Job")
    loose = CheckConstraint(condition=Q(state="done") | Q(message=""), name="loose")
    tight = CheckConstraint(condition=Q(state="done") | Q(state="failed", message=""), name="tight")

    assert admits(job, loose, state=UNKNOWN)
    assert not admits(job, tight, state=UNKNOWN)
    assert admits(job, tight, state="failed")
    assert not admits(job, tight, state="failed", message="why")
