"""The rows of the tables of a comparison: a dataclass for each table, a field for each column. Imports no Django.

Figures are computed from batches.csv, judgements.csv (`exports.rows.columns.JudgementRow`) and answers.csv;
ratings_long.csv and preferences_long.csv have their judgements in another form (`exports.comparison.long_form`);
systems.csv, pairs.csv and automatic.csv have the figures, not rounded. Docstrings and meanings are written into
columns.md (`exports.comparison.column_page`).
"""

from dataclasses import dataclass
from typing import Annotated

from exports.rows.columns import RunName, StudySlug, TurnId

PoolName = Annotated[str, "the pool of the comparison"]
Setup = Annotated[
    str, "which passages were shown: gold or retrieved; empty of a pool without setups"
]
Low = Annotated[float | None, "the lower end of the 95 % interval over questions, for these people"]
High = Annotated[float | None, "the upper end"]
NoInterval = Annotated[str, "why there is no interval; empty where there is one"]
PeopleLow = Annotated[
    float | None,
    "the lower end of the 95 % interval for people like those who judged; empty of what no people judged",
]
NoPeopleInterval = Annotated[
    str, "why there is no such interval; empty where there is one, and of what no people judged"
]
ShareOfPeople = Annotated[
    float | None, "the part of that interval's variance that is there because people are a sample"
]


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One row is one batch whose judgements are compared."""

    study: StudySlug
    batch: Annotated[str, "the batch, as in judgements.csv"]
    scheme: Annotated[str, "what it asks: rating, preference or relevance"]
    pool: PoolName
    setup: Setup
    dataset: Annotated[str, "the data set, as name@version"]
    state: Annotated[str, "open, paused or closed"]
    is_rehearsal: Annotated[bool, "whether simulated people judged"]
    n_items: Annotated[int, "its items, without control items"]
    n_excluded: Annotated[
        int, "how many of them are excluded: their judgements are in no table and no figure"
    ]


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One row is what one run says to one question of a pool; an answer that several runs gave has a row for each.

    A run that has no answer to a question has no row for it.
    """

    study: StudySlug
    pool: PoolName
    setup: Setup
    turn_id: TurnId
    question: Annotated[str, "the question, as it stands alone"]
    run: RunName
    kind: Annotated[str, "system, baseline or reference"]
    answer_id: Annotated[str, "the answer, as in judgements.csv; empty where nothing is said"]
    text: Annotated[str, "its text, without outer white space"]
    is_answerable: Annotated[bool, "whether a reference answer to the question says something"]
    length: Annotated[int, "characters (code points) of the text"]
    says_unanswerable: Annotated[
        bool, "whether it says, by a list of phrases, that there is no answer; nothing said says so"
    ]
    rouge_l: Annotated[
        float | None, "ROUGE-L (F1) to the nearest reference; empty without one, and of references"
    ]
    recall: Annotated[
        float | None, "which part of the reference's words it has, at most; empty as rouge_l is"
    ]
    rouge_lp: Annotated[
        float | None,
        "ROUGE-L precision to the nearest of the shown passages; empty without one or a text",
    ]


Conversation = Annotated[str, "the conversation of the turn"]
Submission = Annotated[
    str, "assignment_id and submitted_at of judgements.csv, with a space between them"
]


@dataclass(frozen=True, slots=True)
class LongRatingRow:
    """One row is one rating of one answer on one scale, for one run that gave the answer.

    These are the counted judgements that the figures are computed from, for mixed models. An answer that several
    runs gave has a row for each, with the same submission and answer_id.
    """

    pool: PoolName
    setup: Setup
    measure: Annotated[str, "the scale: faithful or appropriate"]
    run: RunName
    turn_id: TurnId
    conversation: Conversation
    is_answerable: Annotated[bool, "whether a reference answer to the question says something"]
    item_id: Annotated[str, "the item, as in judgements.csv"]
    answer_id: Annotated[str, "the answer, as in judgements.csv and answers.csv"]
    annotator: Annotated[str, "a pseudonym, as in judgements.csv"]
    submission: Submission
    value: Annotated[int, "the rating, from 1 to 4: ordinal"]


@dataclass(frozen=True, slots=True)
class LongPreferenceRow:
    """One row is one comparison of the answers of two runs, from the side of the first.

    These are the counted judgements that the figures are computed from, for mixed models. Which run is the first is
    as in pairs.csv. An answer that several runs gave has rows for each, with the same submission.
    """

    pool: PoolName
    setup: Setup
    one: Annotated[str, "the name of a run"]
    other: Annotated[str, "the name of another"]
    turn_id: TurnId
    conversation: Conversation
    item_id: Annotated[str, "the item, as in judgements.csv"]
    answer_id_of_one: Annotated[str, "the answer of the first, as in judgements.csv"]
    answer_id_of_other: Annotated[str, "the answer of the other"]
    annotator: Annotated[str, "a pseudonym, as in judgements.csv"]
    submission: Submission
    one_is_left: Annotated[bool, "whether the answer of the first was on the left of the screen"]
    value: Annotated[int, "1: the first is preferred, 0: a tie, -1: the other is; ordinal"]


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One row is one figure of one run in one setup."""

    pool: PoolName
    setup: Setup
    run: RunName
    kind: Annotated[str, "system, baseline or reference"]
    measure: Annotated[str, "what it is of; docs/comparing.md of Touchstone has the formulas"]
    value: Annotated[float | None, "the figure"]
    low: Low
    high: High
    n_questions: Annotated[int, "on how many questions it rests"]
    n_values: Annotated[int | None, "on how many ratings, comparisons or answers"]
    reason: Annotated[str, "why it is undefined; empty where it is not"]
    interval_reason: NoInterval
    n_annotators: Annotated[int | None, "how many people judged; empty of what none did"]
    people_low: PeopleLow
    people_high: High
    people_interval_reason: NoPeopleInterval
    share_of_people: ShareOfPeople


@dataclass(frozen=True, slots=True)
class PairRow:
    """One row is one pair of runs by one measure in one setup: can they be told apart?"""

    pool: PoolName
    setup: Setup
    measure: Annotated[str, "faithful, appropriate, both (F+A) or preference"]
    one: Annotated[str, "the name of a run"]
    other: Annotated[str, "the name of another"]
    n_questions: Annotated[int, "questions that both were judged on"]
    difference: Annotated[float | None, "the first less the other, the mean over these questions"]
    low: Low
    high: High
    interval_reason: NoInterval
    n_annotators: Annotated[int | None, "how many people judged either on these questions"]
    people_low: PeopleLow
    people_high: High
    people_interval_reason: NoPeopleInterval
    share_of_people: ShareOfPeople
    p: Annotated[float | None, "two-sided: p_people if there is one, else p_these_people"]
    p_reason: Annotated[str, "why there is no p; empty where there is one"]
    p_of: Annotated[
        str, "whom p and detectable are about: people like them, or these who judged: these"
    ]
    p_these_people: Annotated[
        float | None,
        "for the people who judged: by flipping the signs of the questions' differences",
    ]
    is_exact: Annotated[bool, "whether all choices of signs were counted, and none drawn by lot"]
    p_people: Annotated[
        float | None,
        "for people like those who judged, of at least three: of a t test, never below p_these_people",
    ]
    family: Annotated[
        str, "primary, if the study named it as its primary comparison; else exploratory"
    ]
    p_holm: Annotated[
        float | None,
        "Holm's, over all pairs of the measure and setup; where primary, over the primary pairs",
    ]
    is_told_apart: Annotated[bool, "whether p_holm is .05 at most"]
    detectable: Annotated[
        float | None,
        "the smallest difference that so many questions and people show four times in five, at the level .05 of this pair alone",
    ]
    detectable_reason: Annotated[str, "why there is none; empty where there is one"]


@dataclass(frozen=True, slots=True)
class AutomaticRow:
    """One row is one correlation of an automatic measure with what people said, in one setup."""

    pool: PoolName
    setup: Setup
    over: Annotated[
        str, "answers: each distinct answer is a point; systems: each run's mean is one"
    ]
    measure: Annotated[str, "the automatic measure"]
    scale: Annotated[str, "what people said: faithful, appropriate or both (F+A)"]
    coefficient: Annotated[str, "kendall_tau_b or pearson"]
    value: Annotated[float | None, "the coefficient"]
    low: Low
    high: High
    n: Annotated[int, "how many points"]
    reason: Annotated[str, "why it is undefined; empty where it is not"]
    interval_reason: NoInterval
