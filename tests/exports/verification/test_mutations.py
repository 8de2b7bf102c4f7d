"""A single change of a release is found, also where the manifest's checksums are changed to match."""

import pytest

from exports.errata.page import errata_page
from exports.verification.program import verify
from tests.exports.verification.changed_release import (
    change_cell,
    change_json,
    copied,
    load,
    release,
    rows_of,
    sign,
    store,
    write_rows,
)

FIGURES = ("batches", 1, "agreement", "plausibility")
RUNS = ("runs", "measures", "plausible")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return release(tmp_path_factory.mktemp("whole") / "release")


def cell(name, column, value, **having):
    return lambda folder: change_cell(folder, name, column, value, **having)


def figure(*path, value):
    return lambda folder: change_json(folder, "report.json", path, value)


def manifest(*path, value):
    return lambda folder: change_json(folder, "manifest.json", path, value)


def without_row(name, at):
    def change(folder):
        rows = rows_of(folder, name)
        del rows[at]
        write_rows(folder, name, rows)

    return change


def twice(name, at):
    def change(folder):
        rows = rows_of(folder, name)
        rows.insert(at, rows[at])
        write_rows(folder, name, rows)

    return change


def columns_exchanged(name):
    def change(folder):
        rows = rows_of(folder, name)
        write_rows(folder, name, [[row[1], row[0], *row[2:]] for row in rows])

    return change


def labels_exchanged(folder):
    """Two people's labels of one item."""
    header, *rows = rows_of(folder, "judgements.csv")
    label, item, round = (header.index(name) for name in ("label", "item_id", "round"))
    one, other = next(
        (a, b)
        for a in rows
        for b in rows
        if a[item] == b[item] and a[label] != b[label] and a[round] == b[round] == "1"
    )
    one[label], other[label] = other[label], one[label]
    write_rows(folder, "judgements.csv", [header, *rows])


def passages_of_an_accepted_sentence(folder):
    records = load(folder, "silver.json")
    accepted = [each for record in records for each in record["Truth_answers_alternative"]]
    del next(each for each in accepted if "extracted_from" in each)["extracted_from"]
    store(folder, "silver.json", records)


def bytes_of(name, old, new):
    def change(folder):
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def accepted(**changes):
    """Of the first accepted answer of gold.json."""

    def change(folder):
        records = load(folder, "gold.json")
        first = next(each for each in records if each["Truth_answers_alternative"])
        first["Truth_answers_alternative"][0].update(changes)
        store(folder, "gold.json", records)

    return change


def without_accepted(folder):
    records = load(folder, "gold.json")
    first = next(each for each in records if each["Truth_answers_alternative"])
    del first["Truth_answers_alternative"][0]
    store(folder, "gold.json", records)


def turns_exchanged(folder):
    records = load(folder, "silver.json")
    store(folder, "silver.json", [records[1], records[0], *records[2:]])


def key_more(folder):
    whole = load(folder, "report.json")
    whole["batches"][1]["agreement"]["plausibility"]["beta"] = 0.5
    store(folder, "report.json", whole)


def key_gone(folder):
    whole = load(folder, "report.json")
    del whole["batches"][1]["agreement"]["plausibility"]["alpha"]
    store(folder, "report.json", whole)


def erratum(**changes):
    """Of the last answer of errata.json, which is an accepted one; the page is made to match."""

    def change(folder):
        errata = load(folder, "errata.json")
        errata[-1].update(changes)
        store(folder, "errata.json", errata)
        (folder / "ERRATA.md").write_text(errata_page(errata), encoding="utf-8")

    return change


def without(name):
    return lambda folder: (folder / name).unlink()


def exchanged_on_screen(folder):
    """Of a pair that somebody judged."""
    header, *rows = rows_of(folder, "judgements.csv")
    judged = {row[header.index("item_id")] for row in rows}
    header, *rows = rows_of(folder, "relations.csv")
    at = header.index("is_first_shown_first")
    row = next(row for row in rows if row[header.index("item_id")] in judged)
    row[at] = "false" if row[at] == "true" else "true"
    write_rows(folder, "relations.csv", [header, *rows])


def relations_gone(folder):
    whole = load(folder, "report.json")
    del whole["relations"]
    store(folder, "report.json", whole)


def table_gone(folder):
    """The table and what the report says of it, so that the release looks like an older one."""
    (folder / "relations.csv").unlink()
    relations_gone(folder)


COUNTED_PAIR = {"scheme": "relation", "counted": "true", "label": "same"}
COUNTED = {"counted": "true", "is_control": "false"}
DECIDED = {"scheme": "plausibility", "source": "consensus", "verdict": "plausible"}
# The manifest is made to match each of these.
SIGNED = {
    "a label": cell("judgements.csv", "label", "malformed", label="plausible", **COUNTED),
    "two labels exchanged": labels_exchanged,
    "an annotator": cell("judgements.csv", "annotator", "p0099", **COUNTED),
    "a judgement that counts": cell("judgements.csv", "counted", "false", **COUNTED),
    "a judgement that does not": cell("judgements.csv", "counted", "true", counted="false"),
    "a round": cell("judgements.csv", "round", "2", round="1"),
    "a time": cell("judgements.csv", "active_seconds", "9000.0"),
    "an item of a judgement": cell("judgements.csv", "item_id", "nowhere"),
    "a batch of a judgement": cell("judgements.csv", "batch", "faithfulness", batch="plausibility"),
    "a guideline of a judgement": cell("judgements.csv", "guideline_sha256", "0" * 64),
    "a judgement gone": without_row("judgements.csv", 5),
    "a judgement twice": twice("judgements.csv", 5),
    "an item gone": without_row("items.csv", 5),
    "an item twice": twice("items.csv", 5),
    "an answer gone": without_row("answers.csv", 5),
    "a soft label gone": without_row("soft_labels.csv", 5),
    "a run gone": without_row("per_run.csv", 2),
    "columns exchanged": columns_exchanged("judgements.csv"),
    "columns of answers exchanged": columns_exchanged("answers.csv"),
    "a verdict": cell("items.csv", "verdict", "implausible", **DECIDED),
    "votes": cell("items.csv", "votes", '{"plausible": 9}', **DECIDED),
    "a source": cell("items.csv", "source", "adjudication", **DECIDED),
    "a rule": cell("items.csv", "rule", "unanimous", votes='{"implausible": 1, "plausible": 2}'),
    "an item's text": cell("items.csv", "answer", "Another", scheme="plausibility"),
    "an item excluded": cell("items.csv", "is_excluded", "true", **DECIDED),
    "an item's count": cell("items.csv", "n_counted", "7", **DECIDED),
    "an item that decides": cell("items.csv", "is_newest", "false", **DECIDED),
    "an item that stands": cell("items.csv", "stands", "false", scheme="faithfulness"),
    "evidence": cell("items.csv", "cited_by", "run 9", scheme="faithfulness"),
    "an inclusion probability": cell("items.csv", "inclusion_probability", "0.5", **DECIDED),
    "an answer's text": cell("answers.csv", "answer", "Another", sampled="drawn"),
    "an answer's run": cell("answers.csv", "run", "run 3", run="run 1"),
    "an answer's fate": cell("answers.csv", "sampled", "capped", answer_id=""),
    "a tier": cell("answers.csv", "tier", "silver", tier="gold"),
    "a credit": cell("answers.csv", "first_credit", "false", first_credit="true"),
    "a soft label": cell("soft_labels.csv", "n_votes", "8"),
    "a posterior": cell("soft_labels.csv", "posterior", "0.123456", model="confusions"),
    "a count of a run": cell("per_run.csv", "plausible", "77"),
    "an audited answer": cell("precision.csv", "holds", "false", holds="true"),
    "a relation": cell("relations.csv", "relation", "contradicts", relation="same"),
    "a cluster": cell("relations.csv", "first_cluster", "1_1:0", relation="same"),
    "a cluster's other answer": cell("relations.csv", "second_cluster", "1_1:0"),
    "which answer was shown first": exchanged_on_screen,
    "a break of transitivity": cell(
        "relations.csv", "breaks_transitivity", "true", breaks_transitivity="false"
    ),
    "a tier of a pair": cell("relations.csv", "second_tier", ""),
    "an answer of a pair": cell("relations.csv", "second_answer", "Another"),
    "a vote on a pair": cell("judgements.csv", "label", "contradicts", **COUNTED_PAIR),
    "one row of a pair": cell(
        "items.csv", "verdict", "contradicts", scheme="relation", verdict="same"
    ),
    "a pair gone": without_row("relations.csv", 1),
    "a cluster of the report": figure("relations", "n_clusters", value=99),
    "relations gone from the report": relations_gone,
    "relations gone": table_gone,
    "an accepted answer": accepted(answer="Another"),
    "votes of an accepted answer": accepted(batch="another"),
    "an accepted answer gone": without_accepted,
    "the passages of an accepted sentence": passages_of_an_accepted_sentence,
    "a byte of the truth": bytes_of("gold.json", "The answer to 1, 1", "The answer to 1, 2"),
    "a byte of gold's form": bytes_of("gold.json", "[\n {", "[\n  {"),
    "turns exchanged": turns_exchanged,
    "the kind of a run": cell("answers.csv", "kind", "system", kind="extracted"),
    "the passage of a sentence": cell(
        "answers.csv", "passage_id", "p2", passage_id="p1", tier="gold"
    ),
    "a correct answer of the shared task": bytes_of("scai_qrecc.json", "The answer", "An answer"),
    "an unfaithful answer": bytes_of("negatives.json", "Answer", "Another answer"),
    "a byte of the shared task's form": bytes_of("scai_qrecc.json", "[\n    {", "[\n  {"),
    "a newline after the shared task's": bytes_of("negatives.json", "    }\n]", "    }\n]\n"),
    "who answers": cell("background.csv", "annotator", "p0099"),
    "an answer twice": twice("background.csv", 1),
    "a question of an answer": cell("background.csv", "question", "Another?", number="1"),
    "a kind of an answer": cell("background.csv", "kind", "words", number="1"),
    "answers that are left out": manifest("background", value="choices"),
    "an answer removed": cell("background.csv", "answer", ""),
    "an address in an answer": cell("background.csv", "answer", "me@sea.example", kind="words"),
    "the table of answers gone": without("background.csv"),
    "a sentence of a reference": cell("reference_evidence.csv", "text", "Sentence3"),
    "a place of a sentence": cell("reference_evidence.csv", "start", "11"),
    "a sentence of a reference gone": without_row("reference_evidence.csv", 1),
    "a share": figure(*FIGURES, "raw", "value", value=0.123),
    "alpha": figure(*FIGURES, "alpha", "value", value=0.5),
    "alpha gone": key_gone,
    "a number more": key_more,
    "a kappa": figure(*FIGURES, "pairs", "kappas", 0, "value", value=0.99),
    "a prevalence": figure(*FIGURES, "prevalence", "plausible", value=0.5),
    "a cell of a confusion": figure(*FIGURES, "confusion", "counts", value=[[1]]),
    "a rate": figure(*RUNS, "rates", 0, "value", value=0.5),
    "a limit of a rate": figure(*RUNS, "rates", 0, "interval", "low", value=0.1),
    "a difference": figure(*RUNS, "pairs", 0, "difference", value=0.4),
    "a p": figure(*RUNS, "pairs", 0, "p_holm", value=0.001),
    "a funnel's step": figure("funnel", 3, "n_answers", value=1),
    "a share of an audit": figure("precision", 0, "share", "low", value=0.999),
    "a seed": figure("bootstrap", "seed", value=1.5),
    "what is accepted": manifest("accepted", "gold", value=99),
    "the data set": manifest("dataset", "version", value=2),
    "the study": manifest("study", value="another"),
    "a guideline": bytes_of("guidelines/plausibility.md", "written", "meant"),
    "a tier of an erratum": erratum(tier="gold"),
    "an erratum of what is no longer accepted": erratum(tier=""),
    "an answer of an erratum": erratum(answer="Another"),
    "an erratum of a later release": erratum(release=5),
    "a key of an erratum gone": lambda folder: store(folder, "errata.json", [{"release": 1}]),
    "errata that are no list": lambda folder: store(folder, "errata.json", {"release": 1}),
    "a tier on the page of errata": bytes_of("ERRATA.md", "not accepted", "accepted (gold)"),
    "a reason on the page of errata": bytes_of("ERRATA.md", "The passage", "A passage"),
    "a line more on the page of errata": bytes_of("ERRATA.md", "\n## ", "\nMore.\n## "),
    "the page of errata gone": without("ERRATA.md"),
    "errata gone": without("errata.json"),
    "an e-mail address in an erratum": erratum(reason="Ask ann@example.org."),
    "a provider's id in an erratum": erratum(reason="Says A1B2C3D4E5F6G7."),
    "an e-mail address in the note": manifest("note", value="Thanks to ann@example.org"),
    "a provider's id in the note": manifest("note", value="Without A3UV55HC87DO9C"),
    "an e-mail address": cell("judgements.csv", "comment", "to ann@example.org"),
    "a provider's id": cell("judgements.csv", "comment", "I am 5f3c1a2b4d5e6f7a8b9c0d1e"),
    "a name for a pseudonym": cell("judgements.csv", "annotator", "Ann Smith"),
}


@pytest.mark.parametrize("change", SIGNED.values(), ids=SIGNED)
def test_a_change_is_found_although_the_manifest_matches_it(change, whole, tmp_path):
    folder = copied(whole, tmp_path / "changed")
    change(folder)
    sign(folder)

    outcome = verify(folder)

    first, *others = outcome.found.values()
    assert not first.problems
    assert any(each.problems for each in others)


def touch(name, contents):
    return lambda folder: (folder / name).write_bytes(contents)


UNSIGNED = {
    "a byte": bytes_of("judgements.csv", "plausible", "plausiblE"),
    "a file gone": lambda folder: (folder / "precision.csv").unlink(),
    "a file more": touch("notes.txt", b""),
    "columns.md gone": lambda folder: (folder / "columns.md").unlink(),
    "verify.py": touch("verify.py", b"print('Nothing contradicts.')\n"),
    "the readme": bytes_of("README.md", "made", "kept"),
    "a digest": manifest("files", "gold.json", value="0" * 64),
}


@pytest.mark.parametrize("change", UNSIGNED.values(), ids=UNSIGNED)
def test_a_change_is_found_by_its_checksum(change, whole, tmp_path):
    folder = copied(whole, tmp_path / "changed")
    change(folder)

    assert next(iter(verify(folder).found.values())).problems


def test_a_changed_number_is_named_by_its_path_with_both_values(whole, tmp_path):
    folder = copied(whole, tmp_path / "changed")
    figure(*FIGURES, "raw", "value", value=0.123)(folder)
    sign(folder)

    (problem,) = [each for of in verify(folder).found.values() for each in of.problems]

    told = load(whole, "report.json")["batches"][1]["agreement"]["plausibility"]["raw"]["value"]
    assert problem.path == "report.json.batches[1].agreement.plausibility.raw.value"
    assert (problem.computed, problem.written) == (pytest.approx(told), 0.123)


def test_a_changed_interval_is_found_where_it_is_asked_for(whole, tmp_path):
    folder = copied(whole, tmp_path / "changed")
    figure(*FIGURES, "raw", "interval", "low", value=0.123)(folder)
    sign(folder)

    assert verify(folder).is_good
    found = verify(folder, with_intervals=True)
    (problem,) = [each for of in found.found.values() for each in of.problems]
    assert problem.path == "report.json.batches[1].agreement.plausibility.raw.interval.low"
