"""A study in which every secret is a word that stands nowhere else, so that it can be looked for.

All of it is made by the project's own actions. `about` says which turn a secret belongs to: what stands
behind an item is told once nothing about its turn is open.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone

from accounts.actions import background, invitations, studies
from accounts.models import Role, Study, User
from annotation import schemes
from annotation.actions import (
    batches,
    claims,
    judgements,
    messages,
    notes,
    notices,
    qualifications,
    reviews,
    settlement,
    training,
)
from annotation.actions.flags import answer as answer_flag
from annotation.control_keys_csv import KeyRow
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Flag,
    Item,
    ItemAnswer,
    Key,
    Notice,
    Qualification,
    ReviewAct,
)
from annotation.schemes import payloads
from corpus.actions import datasets, runs
from corpus.models import Dataset, Turn
from corpus.problems import Report
from corpus.readers import scai
from exports.models import PrecisionItem
from exports.precision_audit import actions as auditing_accepted
from exports.releases import actions as release_actions
from jobs.actions import execution, jobs
from sampling.actions import (
    answer_pairs,
    audit_samples,
    comparisons,
    evidence,
    pool_draws,
)
from sampling.actions.answer_pairs import AcceptedText, PairSelection
from sampling.actions.evidence import EvidenceRule
from sampling.audit_samples.rule import REASONS, AuditRule
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Candidate, Pool, PoolPassage, Purpose
from sampling.pairs.rule import PairRule
from sampling.pairs.rule import draw as draw_pairs
from sampling.pools.rule import Rule
from sampling.writing.rule import WritingRule
from scoring.actions import score_imports
from tests.annotation.desk import submission, submit_with_first_part
from tests.conftest import member
from tests.factories import BatchFactory, PoolFactory, UserFactory
from tests.sampling.curation_dataset import MODEL, PROMPT, create_made_questions, draw_curation

CONVERSATION = 7
# What happens to the turns: two are asked about now, one is disputed, one settled, one led on to evidence,
# one is that of a control item, of one the answers are compared beside their passage, one waits in a draft.
ASKED, ALSO_ASKED, DISPUTED, SETTLED, LED_ON, CONTROL, COMPARED, DRAFTED = TURNS = range(1, 9)
# The questions of the items of a training: the annotator judges the first one, and has the other one before them.
TOLD, UNTOLD = ASKED, SETTLED
FORMS = ("built", "guarded")  # two answers to each turn, each of a run of its own
LEFT_OUT = "left out"
TABLES = ("strata", "runs")


@dataclass(frozen=True)
class Secret:
    kind: str
    word: str
    about: int | None = None


@dataclass
class Secrets:
    """Each is made once; `named` finds it again."""

    all: list[Secret] = field(default_factory=list)

    def new(self, kind: str, about: int | None = None) -> str:
        word = f"zq{kind.replace(' ', '')}{len(self.all):03d}qz"
        self.all.append(Secret(kind, word, about))
        return word

    def score(self, kind: str, about: int) -> float:
        """Odd enough to be known again, also where only three figures are shown; pages show three, the
        API all of them.
        """
        value = round(0.8 + len(self.all) * 0.00053 + 0.0000413, 7)
        self.all.append(Secret(kind, f"{value:.3f}", about))
        self.known(kind, str(value), about)
        return value

    def known(self, kind: str, word: str, about: int | None = None) -> str:
        """Something that the project itself named."""
        self.all.append(Secret(kind, word, about))
        return word


@dataclass(frozen=True)
class World:
    secrets: Secrets
    folder: Path
    study: Study
    elsewhere: Study
    dataset: Dataset
    asked: Batch  # plausibility, open
    judged: Batch  # plausibility, closed and settled, with disputes
    led_on: Batch  # faithfulness, open
    draft: Batch
    training: Batch  # open, which the annotator is still to be led through
    labelled: tuple[Batch, ...]  # of each scheme with a verdict that accepts no answer, open
    compared: tuple[Batch, ...]  # of each scheme that asks of a comparison, open
    control: Assignment  # bob's, of a control item
    persons: Mapping[str, User]

    def disputes(self) -> list[Item]:
        return list(self.judged.items.filter(turn__number=DISPUTED).order_by("position"))


def build(
    folder: Path,
    said: Mapping[str, tuple[str, str]] | None = None,
    *,
    seed: int = 1,
    runs_backwards: bool = False,
) -> World:
    """The folder is an empty one for files. `said` is what the two others say of each batch's items, and what is
    expected of the training's last, and by the seed what they say in comparisons. The runs of a turn may come in the other order.
    """
    said = {
        "disputed": ("plausible", "implausible"),
        "asked": ("implausible", "malformed"),
        "led_on": ("unfaithful", "unfaithful"),
        "trained": ("malformed", ""),
    } | dict(said or {})
    s = Secrets()
    alice, eve = UserFactory(username="alice"), UserFactory(username="eve")
    study = studies.create_study(slug="lighthouses", title=s.new("study"), requester=alice)
    elsewhere = studies.create_study(slug="bridges", title=s.new("study elsewhere"), requester=eve)
    persons = _people(s, study, elsewhere, alice, eve)
    studies.describe_study(
        study=study,
        by=alice,
        description=s.new("study"),
        consent=f"I take part. {s.new('study')}",
        licence=s.new("licence"),
        citation=s.new("licence"),
        background=f"Where did you learn it, {s.new('study')}?\n___",
    )
    _said_of_themselves(s, study, persons)
    dataset = _dataset(s, study, folder)
    _runs(s, dataset, folder, backwards=runs_backwards)
    _scores(s, dataset, folder)
    _organised(s, study, alice)

    judged = _batch(s, dataset, "judged", DISPUTED, SETTLED, LED_ON)
    _judged(s, judged, persons, said["disputed"])
    asked = _batch(s, dataset, "asked", ASKED, ALSO_ASKED, audience=_trusted(s, study, persons))
    _asked(s, asked, persons, said["asked"][0])
    led_on = _led_on(s, judged, persons, said["led_on"])
    draft = _batch(s, dataset, "draft", DRAFTED)
    labelled = tuple(
        _through(s, (led_on if scheme.shows_evidence else asked).pool, scheme.name, persons, seed)
        for scheme in schemes.with_role(schemes.SchemeRole.LABEL)
    )
    labelled += _related(s, asked.pool, persons, seed)
    compared = _compared(s, dataset, persons, seed)
    _audit(s, asked.pool)
    _comparison(s, dataset)
    _precision_audit(dataset)
    trained = _training(s, dataset, said["trained"][0])
    control = _control(s, asked, dataset, persons["annotator"])
    _identified(s)
    return World(
        secrets=s,
        folder=folder,
        study=study,
        elsewhere=elsewhere,
        dataset=dataset,
        asked=asked,
        judged=judged,
        led_on=led_on,
        draft=draft,
        training=trained,
        labelled=labelled,
        compared=compared,
        control=control,
        persons=persons,
    )


def _people(
    s: Secrets, study: Study, elsewhere: Study, alice: User, eve: User
) -> Mapping[str, User]:
    return {
        "requester": alice,
        "adjudicator": member(study, "carol", Role.ADJUDICATOR, by=alice),
        "annotator": member(study, "bob", Role.ANNOTATOR, by=alice),
        "second": member(study, s.new("annotator"), Role.ANNOTATOR, by=alice),
        "third": member(study, s.new("annotator"), Role.ANNOTATOR, by=alice),
        "requester elsewhere": eve,
        "annotator elsewhere": member(elsewhere, "nina", Role.ANNOTATOR, by=eve),
    }


def _said_of_themselves(s: Secrets, study: Study, persons: Mapping[str, User]) -> None:
    """The two others answer the background question; the annotator is still to be asked."""
    asked = study.background_questions.get()
    for name in ("second", "third"):
        background.answer(
            study=study, answers={asked.pk: f"At {s.new('background')}."}, by=persons[name]
        )


def _written(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def _dataset(s: Secrets, study: Study, folder: Path) -> Dataset:
    truth = [
        {
            "Conversation_no": CONVERSATION,
            "Turn_no": turn,
            "Truth_rewrite": f"Who built the lighthouse {s.new('question', turn)}?",
            "Truth_passages": [],
            "Truth_answer": f"The guild {s.new('reference', turn)} built it.",
        }
        for turn in TURNS
    ]
    rows = ["turn_id\tpassage_id\tpassage"]
    for turn in TURNS:
        docid = s.new("passage", turn)
        shown = f"The lighthouse {s.new('evidence', turn)} was built by masons."
        unseen = f"Tickets are sold at {s.new('passage', turn)}."
        text = shown if turn == COMPARED else f"{unseen} {shown}"
        rows.append(f"{CONVERSATION}_{turn}\t{docid}\t{text}")
    read = scai.read(
        truth=_written(folder, f"{s.new('file')}.json", truth),
        passages_file=_written(folder, f"{s.new('file')}.tsv", "\n".join(rows) + "\n"),
    )
    turns = tuple(replace(turn, meta=_made_by(s, turn.number)) for turn in read.records.turns)
    read = replace(read, records=replace(read.records, turns=turns))
    name, about = s.new("data set"), {"licence": s.new("licence"), "citation": s.new("licence")}
    datasets.save(study=study, name=name, read=read, by=study.created_by, **about)
    return study.datasets.by_name(name)


def _made_by(s: Secrets, turn: int) -> dict[str, Any]:
    """How the question was made: the answer could be guessed from its proof, and how good it is from its maker."""
    made = {each: s.new("maker", turn) for each in ("model", "prompt")}
    return {"proof": s.new("maker", turn), "maker": made}


def _runs(s: Secrets, dataset: Dataset, folder: Path, *, backwards: bool) -> None:
    """Import for every turn two runs whose answers are drawn, for two turns also one whose answer is left out."""
    for turn in TURNS:
        forms = (*FORMS, LEFT_OUT) if turn in (ASKED, DISPUTED) else FORMS
        made = [_run(s, dataset, folder, turn, form) for form in forms]
        for each in reversed(made) if backwards else made:
            runs.save(dataset=dataset, by=dataset.created_by, **each)


def _run(s: Secrets, dataset: Dataset, folder: Path, turn: int, form: str) -> dict[str, Any]:
    answer = {
        "Conversation_no": CONVERSATION,
        "Turn_no": turn,
        "Model_answer": _answer(s, turn, form),
        "Model_passages": {s.new("citation", turn): 3.5},
        "Model_rewrite": s.new("citation", turn),
    }
    file = _written(folder, f"{s.new('run', turn)}.json", [answer])
    about = {each: s.new("run", turn) for each in ("name", "team", "system", "setup")}
    return {**about, "read": runs.read(dataset=dataset, path=file)}


def _answer(s: Secrets, turn: int, form: str) -> str:
    if form == LEFT_OUT:
        return f"Nobody knows {s.new('left out', turn)}."
    return f"The lighthouse was {form} by masons {s.new('answer', turn)}."


def _drawn_runs(dataset: Dataset, *turns: int) -> frozenset[str]:
    found = dataset.runs.filter(answers__turn__number__in=turns)
    return frozenset(found.exclude(kind="reference").values_list("name", flat=True))


def _scores(s: Secrets, dataset: Dataset, folder: Path) -> None:
    lines = ["id,run,sas"]
    answers = dataset.runs.exclude(kind="reference").order_by("pk")
    for name, turn, text in answers.values_list("name", "answers__turn__number", "answers__text"):
        value = 0.2 if text.startswith("Nobody") else s.score("score", turn)
        lines.append(f"{CONVERSATION}_{turn},{name},{value}")
    path = _written(folder, f"{s.new('file')}.csv", "\n".join(lines) + "\n")
    score_imports.save(
        dataset=dataset,
        metric="sas",
        scorer=s.new("scorer"),
        records=score_imports.read(path, metric="sas"),
        file=path.name,
        by=dataset.created_by,
    )


def _organised(s: Secrets, study: Study, alice: User) -> None:
    invitations.invite(
        study=study,
        role=Role.ANNOTATOR,
        n_most=1,
        expires_at=timezone.now() + timedelta(days=1),
        note=s.new("organising"),
        by=alice,
    )
    jobs.start(study=study, kind="score", key=s.new("organising"), params={}, by=alice)


def _pool(s: Secrets, dataset: Dataset, *turns: int) -> Pool:
    rule = Rule(
        scorer=dataset.study.scorers.get().name,
        threshold=0.5,
        min_candidates=1,
        runs=_drawn_runs(dataset, *turns),
    )
    pool, _ = pool_draws.draw(
        study=dataset.study,
        dataset=dataset,
        name=s.new("pool"),
        rule=rule,
        by=dataset.created_by,
    )
    return pool


def _audit(s: Secrets, pool: Pool) -> Pool:
    """Draw an audit sample of what the pool left out; nobody is asked about it yet."""
    rule = AuditRule(pool.name, dict.fromkeys(REASONS, 9))
    return audit_samples.draw(pool=pool, name=s.new("pool"), rule=rule, by=pool.created_by)


def _comparison(s: Secrets, dataset: Dataset) -> Pool:
    """Draw a comparison of all runs on questions that two of them answered, with a batch whose results name the runs."""
    rule = ComparisonRule(setup="gold", answered_by="two", keeps_without_passages=True)
    pool, _ = comparisons.draw_comparison(
        study=dataset.study, dataset=dataset, name=s.new("pool"), rule=rule, by=dataset.created_by
    )
    BatchFactory(
        pool=pool,
        name=s.new("batch"),
        scheme="rating",
        state=BatchState.CLOSED,
        closed_at=pool.created_at,
        closed_by=pool.created_by,
    )
    return pool


def _precision_audit(dataset: Dataset) -> None:
    """Draw a precision audit of the accepted answers, and compute the results."""
    auditing_accepted.draw(
        dataset=dataset, sizes={"gold": 9, "silver": 9}, seed=1, by=dataset.created_by
    )
    about = {"kind": "results", "key": str(dataset), "params": {"dataset": dataset.pk}}
    execution.run(jobs.start(study=dataset.study, **about, by=dataset.created_by))


def _trusted(s: Secrets, study: Study, persons: Mapping[str, User]) -> Qualification:
    """A group of all annotators of the study, one of whom came, went and came again."""
    alice = persons["requester"]
    asked = qualifications.create(study=study, name=s.new("organising"), rule={}, by=alice)
    everybody = [persons[name] for name in ("annotator", "second", "third")]
    decided = {"qualification": asked, "by": alice}
    qualifications.grant(people=everybody, reason=s.new("organising"), **decided)
    qualifications.revoke(people=everybody[:1], reason=s.new("organising"), **decided)
    qualifications.grant(people=everybody[:1], reason=s.new("organising"), **decided)
    return asked


def _batch(
    s: Secrets,
    dataset: Dataset,
    kind: str,
    *turns: int,
    audience: Qualification | None = None,
) -> Batch:
    """Open, but the draft."""
    about = {"study": dataset.study, "by": dataset.created_by}
    batch = batches.create(
        name=s.new("draft" if kind == "draft" else "batch"),
        scheme=schemes.ACCEPTANCE.name,
        pool=_pool(s, dataset, *turns),
        guideline=f"Judge what is there. {s.new('draft' if kind == 'draft' else 'batch')}",
        claim_seconds=600,
        qualification=audience,
        **about,
    )
    return batch if kind == "draft" else batches.launch(batch=batch, by=dataset.created_by)


def _said(s: Secrets, batch: Batch, who: User, label: str) -> Iterator[Assignment]:
    """Each item that they are handed, judged."""
    while held := claims.claim(batch=batch, by=who):
        judgements.submit(
            assignment=held[0],
            submission=submission(label, scheme=batch.scheme, comment=s.new("comment")),
            by=who,
        )
        yield held[0]


def _judged(
    s: Secrets, batch: Batch, persons: Mapping[str, User], disputed: tuple[str, str]
) -> None:
    """Two judge everything; they disagree about one turn. Then it is settled and looked after."""
    alice, carol = persons["requester"], persons["adjudicator"]
    for who, label in zip(("second", "third"), disputed, strict=True):
        while held := claims.claim(batch=batch, by=persons[who]):
            says = label if held[0].item.turn.number == DISPUTED else "plausible"
            judgements.submit(
                assignment=held[0],
                submission=submission(says, comment=s.new("comment")),
                by=persons[who],
            )
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    settled = batch.items.filter(turn__number=SETTLED).first()
    assert settled is not None
    reviews.adjudicate(item=settled, label="plausible", reason=s.new("decision"), by=carol)
    notes.note(item=settled, text=s.new("decision"), by=carol)
    judgement = settled.assignments.first().judgements.get()
    reviews.review(
        judgement=judgement,
        is_paid=True,
        paid_reason=s.new("decision"),
        is_counted=True,
        counted_reason=s.new("decision"),
        by=carol,
    )


def _asked(s: Secrets, batch: Batch, persons: Mapping[str, User], label: str) -> None:
    """The second person is through with it, has flagged something and was answered."""
    *_, last = _said(s, batch, persons["second"], label)
    flag = judgements.flag(assignment=last, message=s.new("flag"), by=persons["second"])
    answer_flag(flag=flag, text=s.new("flag"), by=persons["requester"])
    messages.send(
        study=batch.study, batch=batch, text="When is it paid?", by=flag.assignment.annotator
    )
    notices.write(batch=batch, text="No work on Friday.", by=persons["requester"])


def _led_on(
    s: Secrets, judged: Batch, persons: Mapping[str, User], labels: tuple[str, str]
) -> Batch:
    candidates = Candidate.objects.filter(pool=judged.pool, turn__number=LED_ON)
    alice = persons["requester"]
    name = s.new("pool")
    job = evidence.begin(
        study=judged.study,
        dataset=judged.pool.dataset,
        name=name,
        plausible=list(candidates.select_related("turn__conversation")),
        rule=EvidenceRule(batch=judged.name, scorer="none", sas_threshold=None),
        model="none",
        is_rehearsal=False,
        by=alice,
    )
    execution.run(job)
    draft = batches.create(
        study=judged.study,
        name=s.new("batch"),
        scheme=schemes.GROUNDING.name,
        pool=judged.study.pools.get(name=name),
        guideline=s.new("batch"),
        by=alice,
    )
    batch = batches.launch(batch=draft, by=alice)
    for _ in _said(s, batch, persons["second"], labels[0]):
        pass
    return batch


def _through(s: Secrets, pool: Pool, scheme: str, persons: Mapping[str, User], seed: int) -> Batch:
    """A batch under the scheme, open; the second person has judged all of it."""
    draft = batches.create(
        study=pool.study,
        name=s.new("batch"),
        scheme=scheme,
        pool=pool,
        guideline=s.new("batch"),
        by=pool.created_by,
    )
    batch = batches.launch(batch=draft, by=pool.created_by)
    while claimed := claims.claim(batch=batch, by=persons["second"]):
        response = something_whole(claimed[0], seed)
        said = replace(submission(), response=response, comment=s.new("comment"))
        submit_with_first_part(assignment=claimed[0], submission=said, by=persons["second"])
    return batch


def _related(
    s: Secrets, accepted: Pool, persons: Mapping[str, User], seed: int
) -> tuple[Batch, ...]:
    """The pairs of answers of the pool under every scheme that asks how they relate; the second person is through."""
    texts = {
        (each.turn.key, each.text_sha256): AcceptedText(each, each.turn_id)
        for each in accepted.candidates.select_related("turn__conversation")
    }
    of_turn: dict[str, list[str]] = {}
    for turn, text in texts:
        of_turn.setdefault(turn, []).append(text)
    rule = PairRule(release=1, n=9)
    pool = answer_pairs.record(
        dataset=accepted.dataset,
        name=s.new("pool"),
        rule=rule,
        selection=PairSelection(draw_pairs(of_turn, rule), texts),
        is_rehearsal=False,
        by=accepted.created_by,
    )
    return tuple(
        _through(s, pool, scheme.name, persons, seed)
        for scheme in schemes.with_role(schemes.SchemeRole.RELATION)
    )


def _compared(
    s: Secrets, dataset: Dataset, persons: Mapping[str, User], seed: int
) -> tuple[Batch, ...]:
    """The answers to one turn, and its passage, under every scheme that asks of such a pool; the second person is
    through.
    """
    alice = dataset.created_by
    runs_of_turn = tuple(sorted(_drawn_runs(dataset, COMPARED)))
    rule = ComparisonRule(setup="gold", runs=runs_of_turn, references=False)
    pool, _ = comparisons.draw_comparison(
        study=dataset.study, dataset=dataset, name=s.new("pool"), rule=rule, by=alice
    )
    asked = {
        schemes.SchemeRole.COMPARISON: pool,
        schemes.SchemeRole.WRITING: _to_write_from(s, pool),
        schemes.SchemeRole.CURATION: _to_curate(s, dataset.study),
    }
    return tuple(
        _through(s, of_role, scheme.name, persons, seed)
        for role, of_role in asked.items()
        for scheme in schemes.with_role(role)
    )


def _to_write_from(s: Secrets, compared: Pool) -> Pool:
    """The first passage of each turn of the comparison, to write answers from."""
    first = list(compared.passages.filter(position=1))
    made = PoolFactory(
        dataset=compared.dataset,
        name=s.new("pool"),
        purpose=Purpose.WRITING,
        rule=WritingRule().to_dict(),
        counts={"n_turns": len(first), "n_candidates": 0, "n_eligible": 9, "n_too_short": 0},
    )
    PoolPassage.objects.bulk_create(
        PoolPassage(pool=made, turn_id=each.turn_id, passage_id=each.passage_id, position=1)
        for each in first
    )
    return made


def _to_curate(s: Secrets, study: Study) -> Pool:
    """A made question, of a data set of its own: its answer is shown, and never what made it."""
    for word in (MODEL, PROMPT):
        s.known("maker", word)
    made = create_made_questions(study, 1, name=s.new("data set"))
    return draw_curation(made, name=s.new("pool"))


def something_whole(held: Assignment, seed: int = 1) -> dict[str, str]:
    """Something that can be said of the item."""
    batch = held.item.batch
    return schemes.get(batch.scheme).simulated_response(
        held.item.payload,
        judgements.screen_order(held, batch),
        seed=seed,
        annotator=1,
        item="i",
        accuracy=1,
    )


def _control(s: Secrets, batch: Batch, dataset: Dataset, bob: User) -> Assignment:
    """A control item looks like any other. Bob was handed it, and his time with it has run out."""
    candidate = _pool(s, dataset, CONTROL).candidates.order_by("text")[0]
    payload = payloads.payload(
        question=candidate.turn.standalone, context=[], answers=[candidate.text], evidence=None
    )
    item = Item.objects.create(
        batch=batch,
        turn=candidate.turn,
        position=1_000,
        payload=payload,
        payload_sha256=payloads.sha256(payload),
        n_wanted=None,
    )
    ItemAnswer.objects.create(item=item, candidate=candidate)
    Key.objects.create(item=item, label="plausible", created_by=batch.created_by)
    now = timezone.now()
    return Assignment.objects.create(
        item=item, annotator=bob, state=AssignmentState.EXPIRED, claimed_at=now, expires_at=now
    )


def _training(s: Secrets, dataset: Dataset, label: str) -> Batch:
    """Items with their keys, the last of which has that label; why it is expected is told to who has judged it."""
    pool = _pool(s, dataset, DRAFTED)
    rows = [
        KeyRow(
            number=number,
            turn=f"{CONVERSATION}_{turn}",
            answer=f"Keeper {s.new('answer', turn)}.",
            label=label if turn == UNTOLD else "malformed",
            explanation=f"Look at {s.new('explanation', turn)}.",
        )
        for number, turn in enumerate((TOLD, UNTOLD), start=1)
    ]
    return training.create_and_launch(
        study=dataset.study,
        name=s.new("batch"),
        scheme=schemes.ACCEPTANCE.name,
        pool=pool,
        by=dataset.created_by,
        purpose="training",
        rows=rows,
        report=Report("keys.csv", "row"),
    )


def _identified(s: Secrets) -> None:
    """What an item is known by is the same for everybody, so that a control could be known again by it."""
    for item in Item.objects.all():
        s.known("item", str(item.public_id), item.turn.number)
        s.known("item", item.payload_sha256, item.turn.number)


def end_all(world: World) -> None:
    """Later: everything is judged, closed, adjudicated and given out."""
    alice = world.persons["requester"]
    said = {world.asked: "malformed", world.led_on: "unfaithful"}
    said |= {batch: schemes.verdict_scheme(batch.scheme).labels[-1] for batch in world.labelled}
    for batch, label in said.items():
        for who in ("second", "third"):
            for _ in _said(world.secrets, batch, world.persons[who], label):
                pass
        batches.close(batch=batch, by=alice)
        settlement.settle(batch=batch, rule="majority", by=alice, expire_claims=True)
    for item in world.disputes():
        adjudicate(world, item)
    release_actions.release(
        study=world.study,
        dataset=world.dataset,
        out=world.folder / "release",
        set_aside_disputes=True,
        by=alice,
    )


def adjudicate(world: World, item: Item) -> None:
    reason, carol = world.secrets.new("decision"), world.persons["adjudicator"]
    reviews.adjudicate(item=item, label="implausible", reason=reason, by=carol)


COMPARED_FILES = ("judgements.csv", "answers.csv", "systems.csv", "table7.tex")


Parts = list[dict[str, Any]]


def together(some: Parts, others: Parts) -> Parts:
    """Each of both at least once, in as few pairs as that takes: what lets somebody in looks at each by itself."""
    n_pairs = max(len(some), len(others))
    return [some[n % len(some)] | others[n % len(others)] for n in range(n_pairs)]


def parts_of_addresses(world: World) -> dict[frozenset[str], Parts]:
    """What the parts of an address can be, by their names: all that there is in this world, and last one of
    each kind under the other study's name."""
    study, of_study = world.study, {"item__batch__study": world.study}
    handed_out = Assignment.objects.filter(**of_study).select_related("item")
    audited = PrecisionItem.objects.filter(audit__study=study)
    files = ("gold.json", "report.json", "manifest.json", "judgements.csv", "secrets.json")
    batches_of_study: Parts = [{"batch": each.pk} for each in study.batches.all()]
    pools: Parts = [{"pool": each.pk} for each in study.pools.all()]
    people: Parts = [{"member": each.pk} for each in study.memberships.all()]
    compared_files: Parts = [{"name": name} for name in COMPARED_FILES]
    things: list[Parts] = [
        [{}],
        batches_of_study,
        [{"batch": each.item.batch_id, "assignment": each.public_id} for each in handed_out],
        [{"assignment": each.public_id} for each in handed_out],
        [{"item": each.public_id} for each in Item.objects.filter(batch__study=study)],
        [{"run": each.pk} for each in world.dataset.runs.all()],
        [{"name": world.dataset.name, "version": world.dataset.version}],
        [{"job": each.pk} for each in study.jobs.all()],
        [{"passage": each.pk} for each in world.dataset.passages.all()],
        pools,
        together(pools, [{"table": table} for table in TABLES]),
        together(
            batches_of_study,
            [
                {"table": table, "form": form}
                for table in ("judgements", "items")
                for form in ("csv", "jsonl")
            ],
        ),
        [{"dataset": world.dataset.pk}],
        [{"dataset": world.dataset.pk, "place": 1}],
        [{"dataset": world.dataset.pk, "table": table} for table in ("runs", "pairs")],
        [{"audit": each.pk} for each in study.precision_audits.all()],
        [{"audit": each.audit_id, "item": each.public_id} for each in audited],
        together(
            batches_of_study,
            [{"asked": 1, "picture": picture} for picture in ("confusion", "over-time")],
        ),
        [{"number": 1}],
        [{"release": 1}],
        [{"number": 1, "before": 1}],
        [{"turn": each.pk} for each in Turn.objects.filter(conversation__dataset=world.dataset)],
        [{"number": 1, "name": name} for name in files],
        [{"batch": each.batch_id, "act": each.public_id} for each in ReviewAct.objects.all()],
        [{"message": each.pk} for each in study.messages.all()],
        [{"qualification": each.pk} for each in study.qualifications.all()],
        [
            {"batch": each.batch_id, "notice": each.pk}
            for each in Notice.objects.filter(batch__study=study)
        ],
        [
            {"batch": each.item.batch_id, "key": each.pk}
            for each in Key.objects.select_related("item")
        ],
        [{"flag": each.pk} for each in Flag.objects.filter(assignment__in=handed_out)],
        people,
        together(batches_of_study, compared_files),
        compared_files,
        together(batches_of_study, people),
        [{"invitation": each.pk} for each in study.invitations.all()],
    ]
    found = [[{"study": study.slug, **each} for each in rows] for rows in things]
    for rows in found:
        rows.append({**rows[0], "study": world.elsewhere.slug})
    found += [[{}], [{"user": each.pk} for each in User.objects.all()], [{"token": "no-such-link"}]]
    found += [[{"act": each.public_id} for each in ReviewAct.objects.all()]]
    found += [[{"rest": "nothing"}], [{"number": 1}], [{"document": "glossary"}]]
    return {frozenset(rows[0]): rows for rows in found}
