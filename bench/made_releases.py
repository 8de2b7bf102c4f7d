"""Folders of releases made from a seed, without a database: of every kind of item, judgement and answer.

People judge each answer of some runs, and whether the plausible ones are faithful. They err, some of their work is
withdrawn, surplus or not counted, some items are adjudicated, excluded or without evidence, and some are controls.
What the program writes into a release is written by its own functions.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count
from pathlib import Path
from random import Random
from typing import Any

from annotation.schemes.relation import SCHEME as RELATION
from exports.precision_audit.estimate import holds
from exports.releases import column_page
from exports.releases.merge import extended_truth
from exports.releases.readme import readme
from exports.releases.report import report
from exports.rows.columns import (
    AnswerRow,
    ItemRow,
    JudgementRow,
    PrecisionRow,
    RelationRow,
    RunRow,
    SoftLabelRow,
)
from exports.rows.ids import answer_id, cell_json
from exports.rows.per_run import run_rows
from exports.rows.relations import relation_rows
from exports.rows.soft_labels import soft_labels
from exports.rows.tiers import TIERS, tier
from exports.verification import one_file
from exports.verification.files import MANIFEST, sha256
from exports.writers import columns, csv_table, json_file
from stats.aggregation.consensus import RULES, Outcome

LABELS = {
    "plausibility": ("plausible", "implausible", "malformed"),
    "faithfulness": ("faithful", "unfaithful", "irrelevant"),
    "relation": RELATION.labels,
}
NOT_DRAWN = ("below_threshold", "represented", "empty", "same_as_question", "not_in_pool")
GUIDELINE = "Judge what is written.\n"
OF_GUIDELINE = hashlib.sha256(GUIDELINE.encode()).hexdigest()
STUDY = "made"


@dataclass(frozen=True)
class Size:
    """How much is judged: `n_turns` turns by `n_runs` runs, each answer by `n_wanted` of `n_people`."""

    n_turns: int = 24
    n_runs: int = 4
    n_people: int = 6
    n_wanted: int = 2
    turns_each: int = 2  # of a conversation
    is_audited: bool = True


@dataclass(frozen=True)
class Rows:
    judgements: list[JudgementRow]
    items: list[ItemRow]
    answers: list[AnswerRow]
    precision: list[PrecisionRow]
    relations: list[RelationRow]


class _Maker:
    def __init__(self, seed: int, rule: str, size: Size) -> None:
        self.random, self.rule, self.size = Random(seed), rule, size
        self.clock, self.number = count(), count(1)
        people = range(1, size.n_people + 1)
        self.accuracy = {f"p{n:04d}": self.random.uniform(0.7, 0.97) for n in people}

    def now(self) -> str:
        seconds = next(self.clock)
        day, hour, minute = 1 + seconds // 86_400 % 28, seconds // 3600 % 24, seconds // 60 % 60
        return f"2026-03-{day:02d}T{hour:02d}:{minute:02d}:{seconds % 60:02d}.000000Z"

    def identity(self) -> str:
        return f"{self.random.getrandbits(64):016x}"[:12] + f"-{next(self.number)}"

    # Answers

    def answers(self) -> list[AnswerRow]:
        return [
            row
            for number in range(self.size.n_turns)
            for row in self._answers_to(self._turn(number))
        ]

    def _turn(self, number: int) -> str:
        return f"{number // self.size.turns_each + 1}_{number % self.size.turns_each + 1}"

    def _answers_to(self, turn: str) -> Iterator[AnswerRow]:
        for run in range(1, self.size.n_runs + 1):
            is_drawn = self.random.random() < 0.9
            # Some answers are of several runs; some hold what a table must quote.
            text = f"Answer {self.random.randint(1, 2 * self.size.n_runs)}, “so”\nto {turn}"
            key = answer_id(turn, hashlib.sha256(text.encode()).hexdigest()) if is_drawn else ""
            yield AnswerRow(
                study="made",
                dataset="data@1",
                run=f"run {run}",
                kind="system" if run > 1 else "baseline",
                team=f"team {run % 2}",
                system=f"system {run}",
                setup="original",
                turn_id=turn,
                answer=f" {text}" if run == 2 else text,
                sampled="drawn" if is_drawn else self.random.choice(NOT_DRAWN),
                score=0.5 if is_drawn else None,
                answer_id=key,
                represented_by="",
                plausibility="",
                faithfulness="",
                tier="",
                first_credit=False,
                own_evidence="",
            )

    # Items and judgements

    def batch(
        self, scheme: str, asked: Sequence[tuple[AnswerRow, str, str]]
    ) -> tuple[list[ItemRow], list[JudgementRow]]:
        """Return the items and judgements of a batch of answers, each with its runs and the item that it came from."""
        items = [self._item(scheme, *each) for each in asked]
        items += [self._control(scheme, each) for each in items[:3]]
        judgements = [row for item in items for row in self._judged(item)]
        votes: dict[str, dict[str, str]] = defaultdict(dict)
        for row in judgements:
            if row.counted and not row.is_control:
                votes[row.item_id][row.annotator] = row.label
        items = [replace(i, is_excluded=self._is_excluded(i)) for i in items]
        kept = {i.item_id: votes[i.item_id] for i in items if not (i.is_control or i.is_excluded)}
        outcomes = RULES[self.rule](kept, LABELS[scheme])
        ended = [
            self._ended(replace(i, n_counted=len(votes[i.item_id])), outcomes.get(i.item_id))
            for i in items
        ]
        return ended, judgements

    def _item(self, scheme: str, answer: AnswerRow, runs: str, came_from: str) -> ItemRow:
        spans = self._evidence(runs) if scheme == "faithfulness" else []
        return ItemRow(
            study=STUDY,
            is_rehearsal=False,
            batch=scheme,
            scheme=scheme,
            item_id=self.identity(),
            turn_id=answer.turn_id,
            question=f"What of {answer.turn_id}?",
            answer_id=answer.answer_id,
            answer=answer.answer.strip(),
            runs=runs,
            state="",
            verdict="",
            source="",
            rule="",
            set_aside_reason="",
            votes="",
            posterior="",
            n_wanted=self.size.n_wanted,
            n_counted=0,
            is_excluded=False,
            is_control=False,
            is_newest=True,
            came_from=came_from,
            stands=True,
            inclusion_probability=1.0,
            score=0.5,
            evidence=cell_json(spans) if spans else "",
            quoted_by="|".join(sorted({run for span in spans for run in span["quoted_by"]})),
            cited_by="|".join(sorted({run for span in spans for run in span["cited_by"]})),
            decided_at="",
            after_sources=False,
        )

    def _evidence(self, runs: str) -> list[dict[str, Any]]:
        if self.random.random() < 0.1:
            return []
        cited = [run for run in runs.split("|") if self.random.random() < 0.6]
        place = {"passage_id": "p1", "start": 0, "end": 9, "text": "A passage"}
        found = {"source": "cited", "sas": None, "f1": 0.5, "reference_f1": None}
        return [place | found | {"cited_by": cited, "quoted_by": cited[:1]}]

    def _control(self, scheme: str, like: ItemRow) -> ItemRow:
        return replace(
            like, item_id=self.identity(), is_control=True, is_newest=False, n_wanted=None
        )

    def _is_excluded(self, item: ItemRow) -> bool:
        return not item.is_control and self.random.random() < 0.03

    def _judged(self, item: ItemRow) -> Iterator[JudgementRow]:
        """As many as are wanted, and some that do not count."""
        if item.scheme == "faithfulness" and not item.evidence:
            return
        truth = self.random.choice(LABELS[item.scheme][:1] * 3 + LABELS[item.scheme])
        n_more = self.random.choice([0, 0, 0, 0, 0, 1, 1])
        n = min(self.size.n_wanted + n_more, self.size.n_people)
        people = self.random.sample(sorted(self.accuracy), n)
        for place, person in enumerate(people):
            is_right = self.random.random() < self.accuracy[person]
            label = truth if is_right else self.random.choice(LABELS[item.scheme])
            row = self._judgement(item, person, label)
            if place >= self.size.n_wanted:
                row = replace(row, **self.random.choice(LOST), counted=False, round=None)
            yield row

    def _judgement(self, item: ItemRow, person: str, label: str) -> JudgementRow:
        return JudgementRow(
            study=STUDY,
            is_rehearsal=False,
            batch=item.batch,
            scheme=item.scheme,
            item_id=item.item_id,
            turn_id=item.turn_id,
            question=item.scheme,
            answer_id=item.answer_id,
            answer=item.answer,
            runs=item.runs,
            annotator=person,
            assignment_id=self.identity(),
            value=None,
            label=label,
            comment="not sure, “really”" if self.random.random() < 0.05 else "",
            position=1,
            shown_at=self.now(),
            submitted_at=self.now(),
            active_seconds=round(self.random.uniform(2, 90), 1),
            withdrawn=False,
            surplus=False,
            flagged=False,
            is_control=item.is_control,
            paid=True,
            paid_reason="",
            counted=True,
            counted_reason="",
            guideline_sha256=OF_GUIDELINE,
            payload_sha256="1" * 64,
            round=None if item.is_control else 1,
        )

    def _ended(self, item: ItemRow, outcome: Outcome | None) -> ItemRow:
        if item.is_control:
            return item
        item = replace(item, decided_at=self.now(), votes="{}", posterior="{}", rule="")
        if item.is_excluded or outcome is None:
            return _set_aside(item, "excluded")
        if item.scheme == "faithfulness" and not item.evidence:
            return _set_aside(item, "no evidence")
        item = replace(
            item,
            source="consensus",
            rule=self.rule,
            votes=cell_json(dict(outcome.votes)),
            posterior=cell_json(dict(outcome.posterior)),
        )
        if outcome.label:
            return replace(item, state="decided", verdict=outcome.label)
        if self.random.random() < 0.5:
            label = self.random.choice(LABELS[item.scheme])
            return replace(item, state="decided", verdict=label, source="adjudication")
        if item.n_counted < 2:
            return replace(item, state="set aside", set_aside_reason="too few judgements")
        return replace(item, state="disputed")

    # What became of the answers

    def precision(self, answers: Sequence[AnswerRow]) -> list[PrecisionRow]:
        accepted = {row.answer_id: row for row in answers if row.tier}
        n_of = {name: sum(row.tier == name for row in accepted.values()) for name in TIERS}
        rows = []
        for row in self.random.sample(list(accepted.values()), len(accepted) // 3):
            plausible = self.random.choice([*["plausible"] * 5, "implausible", ""])
            is_asked = row.tier == "gold" and plausible == "plausible"
            faithful = self.random.choice(["faithful"] * 4 + ["unfaithful"]) if is_asked else ""
            rows.append(
                PrecisionRow(
                    study="made",
                    dataset="data@1",
                    audit=1,
                    tier=row.tier,
                    n_gold=n_of["gold"],
                    n_silver=n_of["silver"],
                    turn_id=row.turn_id,
                    answer_id=row.answer_id,
                    answer=row.answer.strip(),
                    plausibility=plausible,
                    faithfulness=faithful,
                    holds=holds(row.tier, plausible, faithful),
                    tier_now=row.tier,
                    plausibility_comment="",
                    faithfulness_comment="",
                )
            )
        return sorted(rows, key=lambda row: row.answer_id)


def _set_aside(item: ItemRow, reason: str) -> ItemRow:
    return replace(item, state="set aside", set_aside_reason=reason, source="decision")


LOST = (
    {"withdrawn": True, "paid": False, "paid_reason": "withdrawn", "counted_reason": "withdrawn"},
    {"surplus": True, "counted_reason": "surplus"},
    {"counted_reason": "random: in a hurry"},
)


def made_rows(seed: int, *, rule: str = "unanimous", size: Size = Size()) -> Rows:
    """The rows of a release's tables."""
    maker = _Maker(seed, rule, size)
    answers = maker.answers()
    runs: dict[str, list[str]] = defaultdict(list)
    one_of: dict[str, AnswerRow] = {}
    for row in answers:
        if row.answer_id:
            runs[row.answer_id].append(row.run)
            one_of.setdefault(row.answer_id, row)
    names = {key: "|".join(sorted(of)) for key, of in runs.items()}
    first = [(row, names[key], "") for key, row in one_of.items()]
    plausibility, said = maker.batch("plausibility", first)
    second = [
        (one_of[item.answer_id], names[item.answer_id], item.item_id)
        for item in plausibility
        if item.verdict == "plausible" and maker.random.random() < 0.9
    ]
    faithfulness, said_again = maker.batch("faithfulness", second)
    items = sorted(
        [*plausibility, *faithfulness], key=lambda r: (r.batch, r.turn_id, r.answer_id, r.item_id)
    )
    of_answers = _items_of(items)
    answers = [_with_outcome(row, of_answers, runs) for row in answers]
    audits = maker.precision(answers) if size.is_audited else []
    pairs, said_of_pairs, shown_first = _pairs(maker, answers, names)
    items = sorted([*items, *pairs], key=lambda r: (r.batch, r.turn_id, r.answer_id, r.item_id))
    tiers = {row.answer_id: row.tier for row in answers if row.answer_id}
    relations = relation_rows(items, tiers, shown_first)
    return Rows([*said, *said_again, *said_of_pairs], items, answers, audits, relations)


def _pairs(
    maker: _Maker, answers: Sequence[AnswerRow], names: Mapping[str, str]
) -> tuple[list[ItemRow], list[JudgementRow], dict[str, str]]:
    """The rows of items about pairs of accepted answers, two each, their judgements, and what was shown first."""
    of_turn: dict[str, dict[str, AnswerRow]] = defaultdict(dict)
    for row in answers:
        if row.tier:
            of_turn[row.turn_id].setdefault(row.answer_id, row)
    pairs = [
        pair
        for of in of_turn.values()
        for pair in list(combinations([of[k] for k in sorted(of)], 2))[:4]
    ]
    asked = [(first, names[first.answer_id], "") for first, _ in pairs]
    items, judgements = maker.batch("relation", asked)
    seconds = [second for _, second in pairs] + [second for _, second in pairs[:3]]  # of controls
    shown_first, twins, places = {}, [], {}
    for item, second in zip(items, seconds, strict=True):
        is_first = maker.random.random() < 0.5
        places[item.item_id] = 1 if is_first else 2
        shown_first[item.item_id] = item.answer_id if is_first else second.answer_id
        text, runs = second.answer.strip(), names[second.answer_id]
        twins.append(replace(item, answer_id=second.answer_id, answer=text, runs=runs))
    placed = [replace(row, position=places[row.item_id]) for row in judgements]
    return [*items, *twins], placed, shown_first


def _items_of(items: Sequence[ItemRow]) -> Mapping[tuple[str, str], ItemRow]:
    return {(row.scheme, row.answer_id): row for row in items if not row.is_control}


def _with_outcome(
    row: AnswerRow, items: Mapping[tuple[str, str], ItemRow], runs: Mapping[str, Sequence[str]]
) -> AnswerRow:
    if not row.answer_id:
        return row
    plausibility = _word(items["plausibility", row.answer_id])
    item = items.get(("faithfulness", row.answer_id))
    faithfulness = _word(item) if item else "not_asked"
    faithfulness = faithfulness if plausibility == "plausible" else ""
    is_asked = item and faithfulness not in ("", "not_asked", "no_evidence")
    return replace(
        row,
        plausibility=plausibility,
        faithfulness=faithfulness,
        tier=tier(plausibility, faithfulness),
        first_credit=row.run == min(runs[row.answer_id]),
        own_evidence=_own(row.run, item) if item and is_asked else "",
    )


def _word(item: ItemRow) -> str:
    reason = item.set_aside_reason.replace(" ", "_")
    return item.verdict or reason or ("disputed" if item.state else "unjudged")


def _own(run: str, item: ItemRow) -> str:
    if run in item.quoted_by.split("|"):
        return "quoted"
    return "cited" if run in item.cited_by.split("|") else "pool" if item.evidence else "none"


def write_release(folder: Path, rows: Rows, *, seed: int = 0) -> Path:
    """Write the rows as a release, with all that is computed from them; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "guidelines").mkdir(exist_ok=True)
    tables: dict[str, tuple[type[Any], Sequence[Any]]] = {
        "judgements": (JudgementRow, rows.judgements),
        "items": (ItemRow, rows.items),
        "answers": (AnswerRow, rows.answers),
        "precision": (PrecisionRow, rows.precision),
        "relations": (RelationRow, rows.relations),
        "soft_labels": (SoftLabelRow, soft_labels(rows.judgements, rows.items)),
        "per_run": (RunRow, run_rows(rows.answers)),
    }
    for name, (row_type, table_rows) in tables.items():
        csv_table.write(folder / f"{name}.csv", row_type, table_rows)
    for name in TIERS:
        tiers = TIERS[: TIERS.index(name) + 1]
        truth = extended_truth(_truth(rows.answers), rows.items, rows.answers, tiers=tiers)
        json_file.write(folder / f"{name}.json", truth)
    figures = report(**vars(rows), seed=seed)
    json_file.write(folder / "report.json", figures)
    columns.write(folder / "columns.md", column_page.HEAD, column_page.TABLES)
    (folder / "guidelines" / "plausibility.md").write_text(GUIDELINE, encoding="utf-8")
    (folder / one_file.NAME).write_bytes(one_file.contents())
    manifest = _manifest(rows, figures)
    (folder / "README.md").write_text(readme(manifest, figures), encoding="utf-8")
    write_manifest(folder, manifest)
    return folder


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest with the sha256 of the files as they are now."""
    digests = {
        path.relative_to(folder).as_posix(): sha256(path)
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }
    json_file.write(folder / MANIFEST, {**manifest, "files": digests})


def _truth(answers: Sequence[AnswerRow]) -> list[tuple[str, dict[str, object]]]:
    turns = dict.fromkeys(row.turn_id for row in answers)
    return [(turn, _truth_of(*map(int, turn.split("_")))) for turn in turns]


def _truth_of(conversation: int, turn: int) -> dict[str, object]:
    return {
        "Conversation_no": conversation,
        "Turn_no": turn,
        "Truth_answer": f"The answer to {conversation}, {turn}: “é”",
        "Truth_rewrite": "What?",
        "Truth_passages": [],
    }


def _manifest(rows: Rows, figures: Mapping[str, Any]) -> dict[str, Any]:
    terms = {"licence": "CC BY 4.0", "citation": ""}
    kinds = {row.run: row.kind for row in rows.answers}
    return {
        "touchstone": "made",
        "created_at": "2026-04-01T12:00:00.000000Z",
        "study": "made",
        "title": "A made-up study",
        "release": 1,
        "is_rehearsal": False,
        **terms,
        "dataset": {"name": "data", "version": 1, **terms},
        "runs": [{"name": name, "kind": kind} for name, kind in sorted(kinds.items())],
        "scorers": [],
        "batches": [
            {
                "name": scheme,
                "scheme": scheme,
                "guideline_sha256": OF_GUIDELINE,
                **({"guideline_file": f"guidelines/{scheme}.md"} if scheme in FIRST else {}),
            }
            for scheme in LABELS
        ],
        "accepted": figures["accepted"],
    }


FIRST = ("plausibility",)


def read_manifest(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
