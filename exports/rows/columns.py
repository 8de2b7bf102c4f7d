"""The rows of a release's tables: a dataclass for each table, a field for each column. Imports no Django.

The CSV files have the columns in the order of the fields. Empty text and None are both written as an empty
cell, booleans as true and false, times in UTC with microseconds as 2026-01-31T12:00:00.000000Z, numbers as
Python writes them. Docstrings and meanings are written into every release (`exports.releases.column_page`).
"""

from dataclasses import dataclass
from typing import Annotated

StudySlug = Annotated[str, "the slug of the study"]
TurnId = Annotated[str, "the turn, as `<Conversation_no>_<Turn_no>`"]
RunName = Annotated[str, "the name of the run"]
# The kind of the runs of sentences of evidence, which do not compete.
EXTRACTED = "extracted"
RUN_KIND = "system, baseline, or extracted: sentences of evidence that were asked about as answers"
NOT_IN_POOL = "not_in_pool"  # of `AnswerRow.sampled`


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """One row is one judgement, one answer that it speaks of, one question that was asked.

    A judgement is counted when `counted` is true; then it is neither withdrawn nor surplus.
    """

    study: StudySlug
    batch: Annotated[str, "the batch that the item is in"]
    scheme: Annotated[
        str,
        "what is asked: plausibility or faithfulness; relation of two accepted answers; of a comparison rating,"
        " preference or relevance; writing of answers",
    ]
    item_id: Annotated[str, "the item that was judged, as in items.csv"]
    turn_id: TurnId
    question: Annotated[
        str, "the question that was asked; of a scheme with one question the scheme's name"
    ]
    answer_id: Annotated[
        str, "the answer that it speaks of, as in items.csv and answers.csv; empty where of none"
    ]
    answer: Annotated[str, "its text, without outer white space"]
    runs: Annotated[
        str, 'the runs that were drawn from and gave the very text, sorted, joined with "|"'
    ]
    annotator: Annotated[str, "a pseudonym, the same throughout the study"]
    assignment_id: Annotated[
        str, "the claim that it was submitted under: one person's on one item; see submitted_at"
    ]
    value: Annotated[float | None, "what was said, where the question asks for a number"]
    label: Annotated[
        str,
        "what was said, where the question asks for a label; of a relation how the row's answer relates to the other",
    ]
    comment: Annotated[str, "what the annotator added in words"]
    position: Annotated[
        int | None, "where the answer stood on the screen, from 1; empty where it speaks of none"
    ]
    shown_at: Annotated[str, "when the screen was shown"]
    submitted_at: Annotated[
        str, "when it was submitted; with assignment_id it names one submission"
    ]
    active_seconds: Annotated[float, "how long the annotator was active on the screen, in seconds"]
    withdrawn: Annotated[bool, "whether the annotator took it back"]
    surplus: Annotated[
        bool, "whether it came when the item had all it wanted: saved, payable, never counted"
    ]
    flagged: Annotated[bool, "whether the annotator sent a message about the item"]
    is_control: Annotated[
        bool,
        "whether the item is a control item (its label was known before) or a repeat (the person judged it before,"
        " under another item_id with the same payload_sha256)",
    ]
    is_rehearsal: Annotated[bool, "whether a simulated person said it"]
    paid: Annotated[bool, "whether the work is paid: as a review decided, else unless withdrawn"]
    paid_reason: Annotated[
        str, "the review's reason: its code, code: words, or words; or withdrawn"
    ]
    counted: Annotated[bool, "whether verdicts rest on it; agreement where round is 1, too"]
    counted_reason: Annotated[
        str, "the review's reason: its code, code: words, or words; or withdrawn, or surplus"
    ]
    guideline_sha256: Annotated[
        str,
        "of the guideline that it was judged by; a release's manifest.json names its file by batch",
    ]
    payload_sha256: Annotated[str, "of what the screen showed"]
    passage_id: Annotated[str, "the passage that it speaks of; empty where it speaks of none"] = ""
    round: Annotated[
        int | None,
        "1: among the first judgements of the item, as many as were asked of each item of the batch;"
        " 2, 3 …: asked for beyond these; empty if not counted, or of a control item or a repeat",
    ] = None
    text: Annotated[
        str,
        "what was written, where the question asks for words: in NFC, lines end with LF; of ticked sentences their"
        ' numbers in the passage, joined with "|", 0 for the title',
    ] = ""

    @property
    def is_first(self) -> bool:
        """Whether agreement rests on it: counted, and asked for before anybody knew of a dispute."""
        return self.round == 1


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One row is one item and one answer that it shows, with how it ended.

    `evidence` is a list of spans in the order shown, each `[start, end)` in characters of the raw
    passage: `passage_id`, `start`, `end`, `text`; `source` (overlap: found by common
    words; cited: quoted by a run); `sas`, its highest similarity to any answer of the turn, null where
    it was not asked for; `f1`, the token F1 of the row's own answer with the words that led to the
    span, null where it was found for other answers only; `reference_f1`, the same of the reference;
    `cited_by`, those of `runs` whose answer cites the passage; `quoted_by`, those of `runs` whose answer
    quotes, of what was usable, a text of which the span holds a part. Whom else a span was found for
    stands in the rows of the turn's other items.
    """

    study: StudySlug
    batch: Annotated[str, "the batch that it is in"]
    scheme: Annotated[str, "what kind of judgement: plausibility, faithfulness or relation"]
    item_id: Annotated[str, "the item's id"]
    turn_id: TurnId
    question: Annotated[str, "the turn's question as the screen showed it"]
    answer_id: Annotated[
        str, "the distinct answer: turn, colon, first 16 digits of the text's sha256"
    ]
    answer: Annotated[str, "its text, without outer white space"]
    runs: Annotated[
        str, 'the runs that were drawn from and gave the very text, sorted, joined with "|"'
    ]
    state: Annotated[str, "decided, disputed or set aside; empty where it was not settled"]
    verdict: Annotated[
        str,
        "the label of a decided item; of a pair of answers, in both of its rows, how that with the first answer_id"
        " relates to the other",
    ]
    source: Annotated[
        str, "consensus (by the rule), adjudication, or decision (somebody set it aside)"
    ]
    rule: Annotated[str, "the consensus rule that the votes were looked at with"]
    set_aside_reason: Annotated[
        str, "disagreement, excluded, no evidence, too few judgements or skipped by all"
    ]
    votes: Annotated[str, "the counted votes it was settled on, as JSON: {label: how many}"]
    posterior: Annotated[
        str,
        "by the rule posterior, how likely each label was when it was settled, as JSON:"
        " {label: 0 to 1}; {} by other rules",
    ]
    n_wanted: Annotated[
        int | None, "how many judgements are wanted; empty for a control item or a repeat"
    ]
    n_counted: Annotated[int, "how many judgements are counted"]
    is_excluded: Annotated[bool, "whether somebody left it out of the analysis"]
    is_control: Annotated[
        bool,
        "whether it is a control item (its label was known before) or a repeat (an item once more, for people who judged"
        " it)",
    ]
    is_rehearsal: Annotated[bool, "whether simulated people judged it"]
    is_newest: Annotated[
        bool,
        "whether it decides the answer among the items of the scheme: one that stands first, then a"
        " decided one, a disputed one, any other; an adjudicated one; the one of the batch made last",
    ]
    came_from: Annotated[str, "of a faithfulness item the plausibility item, by its item_id"]
    stands: Annotated[bool, "false where the plausibility verdict that it came from changed since"]
    inclusion_probability: Annotated[
        float,
        "the chance that the answer had of being asked about: of plausibility by any of the batches in the table, else"
        " by its own",
    ]
    score: Annotated[
        float | None, "the one that counted for the draw: the highest of its text in the turn"
    ]
    evidence: Annotated[
        str,
        "of a faithfulness item the paragraph, as JSON: a list of spans; empty where there is none",
    ]
    quoted_by: Annotated[str, 'the runs in `quoted_by` of any span, sorted, joined with "|"']
    cited_by: Annotated[str, 'the runs in `cited_by` of any span, sorted, joined with "|"']
    decided_at: Annotated[str, "when it ended so"]
    after_sources: Annotated[
        bool,
        "whether it was adjudicated after the adjudicator was shown the runs, scores and references",
    ]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One row is one run's answer to one turn, and what became of it."""

    study: StudySlug
    dataset: Annotated[str, "the data set, as `<name>@<version>`"]
    run: RunName
    kind: Annotated[str, RUN_KIND]
    team: Annotated[str, "whose run it is"]
    system: Annotated[str, "which system gave it"]
    setup: Annotated[str, "how the system was asked: original, rewritten, or other words"]
    turn_id: TurnId
    answer: Annotated[str, "its text as the run gave it"]
    sampled: Annotated[
        str,
        "what the draw made of it: drawn, represented, same_as_reference, same_as_question,"
        " below_threshold, too_few_in_turn, turn_not_drawn, capped, empty, no_reference, no_score; or not_in_pool"
        " where no draw looked at it: its run came later, or was not among those drawn from",
    ]
    score: Annotated[
        float | None,
        "by the draw's scorer. Of a drawn answer the one that counted, the highest of its text in"
        " the turn; of others the answer's own; empty where it has none, and for not_in_pool",
    ]
    answer_id: Annotated[str, "of a drawn answer the distinct answer that it is"]
    represented_by: Annotated[str, "of a represented answer the answer_id of the one drawn for it"]
    plausibility: Annotated[
        str,
        "how a drawn answer ended: a label, or disputed, excluded, too_few_judgements,"
        " skipped_by_all, unjudged",
    ]
    faithfulness: Annotated[
        str,
        "how a plausible answer ended: a label, or disputed, excluded, too_few_judgements,"
        " skipped_by_all, no_evidence, unjudged, not_asked",
    ]
    tier: Annotated[str, "gold or silver where it is accepted"]
    first_credit: Annotated[
        bool, "whether its run, the first by name, gets the answer where each counts once"
    ]
    own_evidence: Annotated[
        str,
        "what of the evidence that its faithfulness was asked by is the run's own: quoted (a span holds"
        " a part of what this answer quotes), cited (none does, but a span stands in a passage that this"
        " answer cites), pool (neither), none (it was asked without evidence); empty where it was not asked",
    ]
    passage_id: Annotated[
        str, "of an extracted sentence the passage that it stands in; empty of other answers"
    ] = ""

    @property
    def competes(self) -> bool:
        """Whether its run has figures and a place beside others."""
        return self.kind != EXTRACTED


@dataclass(frozen=True, slots=True)
class RunRow:
    """One row is one run, counted from answers.csv: see docs/report.md."""

    run: RunName
    kind: Annotated[str, RUN_KIND]
    team: Annotated[str, "whose run it is"]
    system: Annotated[str, "which system gave it"]
    setup: Annotated[str, "how the system was asked"]
    n_answers: Annotated[int, "its answers"]
    empty: Annotated[int, "not drawn: without text"]
    no_reference: Annotated[int, "not drawn: the turn has no reference"]
    no_score: Annotated[int, "not drawn: without a score by the draw's scorer"]
    not_in_pool: Annotated[int, "not drawn: no draw looked at it"]
    same_as_reference: Annotated[int, "not drawn: the reference in its words"]
    same_as_question: Annotated[int, "not drawn: the question in its words"]
    represented: Annotated[int, "not drawn: a drawn one has the same words; inherits no verdict"]
    below_threshold: Annotated[int, "not drawn: its score is not above the threshold"]
    too_few_in_turn: Annotated[int, "not drawn: the turn has too few"]
    turn_not_drawn: Annotated[int, "not drawn: other turns were drawn of those with enough"]
    capped: Annotated[int, "not drawn: the turn has more than the cap"]
    plausible: Annotated[int, "drawn and judged plausible"]
    implausible: Annotated[int, "drawn and judged implausible"]
    malformed: Annotated[int, "drawn and judged malformed"]
    disputed: Annotated[int, "drawn; plausibility in dispute"]
    excluded: Annotated[int, "drawn; its item was excluded"]
    too_few_judgements: Annotated[int, "drawn; too few judgements of plausibility"]
    skipped_by_all: Annotated[int, "drawn; everybody skipped it"]
    unjudged: Annotated[int, "drawn; plausibility not settled"]
    drawn: Annotated[int, "the sum of the eight before"]
    faithful: Annotated[int, "plausible and judged faithful"]
    unfaithful: Annotated[int, "plausible and judged unfaithful"]
    irrelevant: Annotated[int, "plausible; the evidence was judged irrelevant"]
    faithfulness_disputed: Annotated[int, "plausible; faithfulness in dispute"]
    faithfulness_excluded: Annotated[int, "plausible; its faithfulness item was excluded"]
    faithfulness_too_few_judgements: Annotated[int, "plausible; too few judgements of faithfulness"]
    faithfulness_skipped_by_all: Annotated[int, "plausible; everybody skipped its faithfulness"]
    no_evidence: Annotated[int, "plausible; without evidence to judge by"]
    faithfulness_unjudged: Annotated[int, "plausible; faithfulness not settled"]
    not_asked: Annotated[int, "plausible; nobody was asked whether it is faithful"]
    gold: Annotated[int, "accepted: plausible and faithful"]
    silver: Annotated[int, "accepted: plausible; not asked or no evidence"]
    first_drawn: Annotated[int, "of drawn, those with first_credit"]
    first_plausible: Annotated[int, "of plausible, those with first_credit"]
    first_implausible: Annotated[int, "of implausible, those with first_credit"]
    first_malformed: Annotated[int, "of malformed, those with first_credit"]
    first_faithful: Annotated[int, "of faithful, those with first_credit"]
    first_unfaithful: Annotated[int, "of unfaithful, those with first_credit"]
    first_irrelevant: Annotated[int, "of irrelevant, those with first_credit"]
    first_gold: Annotated[int, "of gold, those with first_credit"]
    first_silver: Annotated[int, "of silver, those with first_credit"]
    faithful_to_quoted: Annotated[int, "of faithful, those with own_evidence quoted"]
    faithful_to_cited: Annotated[int, "of faithful, those with own_evidence cited"]
    faithful_to_pool: Annotated[int, "of faithful, those with own_evidence pool"]
    faithful_without_evidence: Annotated[int, "of faithful, those with own_evidence none"]
    plausible_rate: Annotated[float | None, "plausible / what is settled; empty where nothing is"]
    plausible_rate_low: Annotated[float | None, "the rate if none of the unsettled is plausible"]
    plausible_rate_high: Annotated[float | None, "the rate if all of the unsettled are plausible"]
    faithful_rate: Annotated[float | None, "faithful / what is settled; empty where nothing is"]
    faithful_rate_low: Annotated[float | None, "the rate if none of the unsettled is faithful"]
    faithful_rate_high: Annotated[float | None, "the rate if all of the unsettled are faithful"]
