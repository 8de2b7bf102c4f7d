"""Whether a classifier tells hidden control items, or repeats, from other items by what the desk answers, on SQLite.

    python -m bench.controls_hidden [--hidden controls|repeats] [--people N] [--seed N]

People judge a batch by the desk's own requests. Of each item it is noted how the answer that brought it and the one
that took its judgement look: fields and their lengths, tags, ids, times, place in the order, milliseconds. Two
classifiers learn this of some people and say of the others' items whether they are hidden. Prints the area under the
ROC curve (.5 is chance), with the one-sided p of Mann and Whitney's test that it is above, and the same where every
other hidden item has one blank more than it should, which a classifier that works must find.

Of repeats only the places count at which one may come: before them everybody knows that none does. What a person
remembers of the words of an item is not asked.
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import argparse
import importlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils import timezone

WORDS = (
    *("harbour", "lamp", "keeper", "storm", "tide", "reef", "granite", "signal"),
    *("coast", "winter", "boat", "lens", "oil", "tower", "rope", "bell"),
)
# So many control items that a person who is learnt of has hardly met those of the others: else a classifier knows them
# by the lengths of their words.
N_PILOT, N_CONTROLS, EVERY = 1_260, 1_200, 5
CONTROLS, REPEATS = "controls", "repeats"
# The first and the last place in the order of each person that count. After 50 claims right answers make control
# items rarer, so that a place tells; before them there is no repeat.
PLACES = {CONTROLS: (0, 50), REPEATS: (60, 110)}

N_TURNS = 6  # of a conversation

Row = dict[str, float]
# What a row says that the classifiers are not told.
OF_TRUTH = frozenset({"person", "is_hidden"})


def fill(folder: Path, hidden: str, n_people: int, seed: int) -> None:
    """Judge the batch in a new database; write the rows, with `person` and `is_hidden`, as JSON."""
    import django  # noqa: PLC0415

    os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'bench.sqlite3'}"
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    (folder / "rows.json").write_text(
        json.dumps(list(_judged(hidden, n_people, random.Random(seed))))
    )


def _judged(hidden: str, n_people: int, chance: random.Random) -> Iterator[Row]:
    from accounts.actions import studies  # noqa: PLC0415
    from accounts.models import Role  # noqa: PLC0415

    member = importlib.import_module("tests.conftest").member
    alice = importlib.import_module("tests.factories").UserFactory(username="alice")
    study = studies.create_study(slug="hidden", title="Hidden", requester=alice)
    people = [member(study, f"person-{k}", Role.ANNOTATOR, by=alice) for k in range(n_people + 2)]
    batch = _batch(hidden, study, people, alice, chance)
    for number, person in enumerate(people[2:]):
        for row in _work(batch, person, chance, *PLACES[hidden]):
            yield row | {"person": number}


def _batch(hidden: str, study: Any, people: list[Any], alice: Any, chance: random.Random) -> Any:
    """An open batch with repeats, or with control items of a settled one, whose questions and answers are drawn alike."""
    from annotation.actions import batches, claims, controls, settlement  # noqa: PLC0415

    factories = importlib.import_module("tests.factories")
    submit = importlib.import_module("tests.annotation.desk").submit
    dataset = factories.DatasetFactory(study=study)

    def launched(name: str, n: int, n_each: int, **settings: Any) -> Any:
        pool = factories.PoolFactory(dataset=dataset, name=name)
        for k in range(n):
            number = k % N_TURNS + 1
            if number == 1:
                key = uuid.UUID(int=chance.getrandbits(128)).hex
                conversation = factories.ConversationFactory(dataset=dataset, key=key)
            question = _text(chance, 6, 16) + "?"
            turn = factories.TurnFactory(conversation=conversation, number=number, rewrite=question)
            factories.CandidateFactory(pool=pool, turn=turn, text=_text(chance, 2, 30) + ".")
        draft = batches.create(
            study=study, scheme="plausibility", pool=pool, by=alice, name=name, grouping="none",
            judgements_per_item=n_each, **settings,
        )  # fmt: skip
        return batches.launch(batch=draft, by=alice)

    # One judgement of each is asked for, so that no two people meet the same item: otherwise a classifier that learnt
    # from one of them would recognise the item by its lengths. There are enough that nobody runs out.
    n_items = len(people) * PLACES[hidden][1]
    if hidden == REPEATS:
        return launched("full", n_items, 1, repeat_every=EVERY, prefetch_depth=5)
    pilot = launched("pilot", N_PILOT, 2)
    labels = ("plausible", "implausible", "malformed")
    for expert in people[:2]:
        while claimed := claims.claim(batch=pilot, by=expert, n=1):
            submit(claimed[0], labels[claimed[0].item_id % len(labels)])
    pilot = batches.close(batch=pilot, by=alice)
    settlement.settle(batch=pilot, rule="unanimous", by=alice)
    full = launched("full", n_items, 1, control_every=EVERY)
    controls.add_from_batch(batch=full, source=pilot, n=N_CONTROLS, seed=1, by=alice)
    return full


def _text(chance: random.Random, least: int, most: int) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(least, most))).capitalize()


def _work(batch: Any, person: Any, chance: random.Random, first: int, last: int) -> Iterator[Row]:
    """The rows of the places from `first` to before `last`."""
    from django.test import Client  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    from accounts.backends import SESSION_BACKEND  # noqa: PLC0415
    from annotation.models import Assignment  # noqa: PLC0415

    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(person, backend=SESSION_BACKEND)
    feed = reverse("desk_feed", kwargs={"study": batch.study.slug, "batch": batch.pk})

    def exchange(**content: Any) -> tuple[dict[str, Any], bytes, float]:
        began = time.perf_counter()
        reply = client.post(feed, json.dumps(content), content_type="application/json")
        took = 1_000 * (time.perf_counter() - began)
        return reply.json(), reply.content, took

    for place in range(last):
        handed, body, took = exchange(wanted=1, progress=True)
        if not handed["items"]:
            return
        (item,) = handed["items"]
        of_item = _look(item, len(body), took) | {"place": place}
        judgement = {
            "assignment": item["assignment"], "client_id": str(uuid.uuid4()), "comment": "",
            "response": {"plausibility": chance.choice(("plausible", "plausible", "implausible"))},
            "shown_at": timezone.now().isoformat(), "active_seconds": 5,
        }  # fmt: skip
        taken, body, took = exchange(submissions=[judgement])
        if place < first:
            continue
        shown = Assignment.objects.get(public_id=item["assignment"]).item
        yield of_item | {
            "taken_ms": took,
            "taken_length": len(body),
            "outcome_length": len(json.dumps(taken["results"])),
            "is_hidden": shown.n_wanted is None,
        }


def _look(item: dict[str, Any], n_bytes: int, took: float) -> Row:
    """What the answer that brings an item looks like, without its words."""
    html = item["html"]
    tags = Counter(re.findall(r"<(\w+)", html))
    named = Counter(re.findall(r"\s([\w-]+)=", html))
    expires = datetime.fromisoformat(item["expires_at"])
    return {
        "bytes": n_bytes,
        "ms": took,
        "n_fields": len(item),
        "expires_in": (expires - timezone.now()).total_seconds(),
        "id": int(item["assignment"][:8], 16),
        "id_end": int(item["assignment"][-8:], 16),
        **{f"length of {name}": len(str(value)) for name, value in item.items()},
        **{f"<{name}>": n for name, n in tags.items()},
        **{f"{name}=": n for name, n in named.items()},
        "blanks": html.count("  "),
        "lines": html.count("\n"),
    }


def areas(rows: list[Row], leak: random.Random | None = None) -> dict[str, tuple[float, float]]:
    """The area under the curve, and p, of each classifier; of people that it did not learn from."""
    import numpy as np  # noqa: PLC0415
    from scipy.stats import mannwhitneyu  # noqa: PLC0415
    from sklearn.ensemble import RandomForestClassifier  # noqa: PLC0415
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.model_selection import GroupKFold, cross_val_predict  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    names = sorted({name for row in rows for name in row} - OF_TRUTH)
    table = np.array([[float(row.get(name, 0)) for name in names] for row in rows])
    truth = np.array([bool(row["is_hidden"]) for row in rows])
    if leak:
        table[:, names.index("blanks")] += truth & [leak.random() < 0.5 for _ in rows]
    people = np.array([row["person"] for row in rows])
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2_000)),
        "random forest": RandomForestClassifier(300, min_samples_leaf=3, random_state=1, n_jobs=2),
    }
    found = {}
    for name, model in models.items():
        folds = GroupKFold(5)
        said = cross_val_predict(
            model, table, truth, groups=people, cv=folds, method="predict_proba"
        )[:, 1]
        test = mannwhitneyu(said[truth], said[~truth], alternative="greater")
        found[name] = (test.statistic / (truth.sum() * (~truth).sum()), test.pvalue)
    return found


def main(hidden: str, n_people: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        code = f"from pathlib import Path; from bench.controls_hidden import fill; fill(Path({scratch!r}), {hidden!r}, {n_people}, {seed})"
        subprocess.run([sys.executable, "-c", code], check=True)
        rows: list[Row] = json.loads(Path(scratch, "rows.json").read_text())
    n_hidden = sum(bool(row["is_hidden"]) for row in rows)
    print(f"{len(rows):,} items handed to {n_people} people, {n_hidden} of them hidden ({hidden})")
    for title, leak in (("as they are", None), ("with a leak", random.Random(seed))):
        for name, (area, p) in areas(rows, leak).items():
            print(f"{title}: {name:20} area {area:.3f}, p {p:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hidden", choices=list(PLACES), default=CONTROLS)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    main(options.hidden, options.people, options.seed)
