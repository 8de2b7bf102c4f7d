"""Whether a classifier tells hidden control items from other items by what the desk answers, on SQLite.

    python -m bench.controls_hidden

People judge a batch by the desk's own requests. Of each item it is noted how the answer that brought it and the one
that took its judgement look: fields and their lengths, tags, ids, times, place in the order, milliseconds. Two
classifiers learn this of some people and say of the others' items whether they are control items. Prints the area
under the ROC curve (.5 is chance), with the one-sided p of Mann and Whitney's test that it is above, and the same
where every other control item has one blank more than it should, which a classifier that works must find.
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
N_PILOT, N_ITEMS, N_CONTROLS, CONTROL_EVERY = 84, 900, 60, 5
# So many claims of each person: then right answers make control items rarer, and a place in the order tells.
N_CLAIMS = 50

N_TURNS = 6  # of a conversation

Row = dict[str, float]


def fill(folder: Path, n_people: int, seed: int) -> None:
    """Judge the batch in a new database; write the rows, with `person` and `is_control`, as JSON."""
    import django  # noqa: PLC0415

    os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'bench.sqlite3'}"
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    (folder / "rows.json").write_text(json.dumps(list(_judged(n_people, random.Random(seed)))))


def _judged(n_people: int, chance: random.Random) -> Iterator[Row]:
    from accounts.actions import studies  # noqa: PLC0415
    from accounts.models import Role  # noqa: PLC0415

    member = importlib.import_module("tests.conftest").member
    alice = importlib.import_module("tests.factories").UserFactory(username="alice")
    study = studies.create_study(slug="hidden", title="Hidden", requester=alice)
    people = [member(study, f"person-{k}", Role.ANNOTATOR, by=alice) for k in range(n_people + 2)]
    batch = _batch(study, people[:2], alice, chance)
    for number, person in enumerate(people[2:]):
        for row in _work(batch, person, chance):
            yield row | {"person": number}


def _batch(study: Any, experts: list[Any], alice: Any, chance: random.Random) -> Any:
    """An open batch with control items of a settled one; questions and answers of both are drawn alike."""
    from annotation.actions import batches, claims, controls, settlement  # noqa: PLC0415

    factories = importlib.import_module("tests.factories")
    submit = importlib.import_module("tests.annotation.desk").submit
    dataset = factories.DatasetFactory(study=study)

    def launched(name: str, n: int, **settings: Any) -> Any:
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
            judgements_per_item=2, **settings,
        )  # fmt: skip
        return batches.launch(batch=draft, by=alice)

    pilot = launched("pilot", N_PILOT)
    labels = ("plausible", "implausible", "malformed")
    for expert in experts:
        while claimed := claims.claim(batch=pilot, by=expert, n=1):
            submit(claimed[0], labels[claimed[0].item_id % len(labels)])
    pilot = batches.close(batch=pilot, by=alice)
    settlement.settle(batch=pilot, rule="unanimous", by=alice)
    full = launched("full", N_ITEMS, control_every=CONTROL_EVERY)
    controls.add_from_batch(batch=full, source=pilot, n=N_CONTROLS, seed=1, by=alice)
    return full


def _text(chance: random.Random, least: int, most: int) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(least, most))).capitalize()


def _work(batch: Any, person: Any, chance: random.Random) -> Iterator[Row]:
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

    for place in range(N_CLAIMS):
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
        is_control = Assignment.objects.get(public_id=item["assignment"]).item.n_wanted is None
        yield of_item | {
            "taken_ms": took,
            "taken_length": len(body),
            "outcome_length": len(json.dumps(taken["results"])),
            "is_control": is_control,
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

    names = sorted({name for row in rows for name in row} - {"person", "is_control"})
    table = np.array([[float(row.get(name, 0)) for name in names] for row in rows])
    truth = np.array([bool(row["is_control"]) for row in rows])
    if leak:
        table[:, names.index("blanks")] += truth & [leak.random() < 0.5 for _ in rows]
    people = np.array([row["person"] for row in rows])
    models = {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2_000)),
        "random forest": RandomForestClassifier(300, min_samples_leaf=3, random_state=1, n_jobs=2),
    }
    found = {}
    for name, model in models.items():
        folds = GroupKFold(min(5, len(set(people.tolist()))))
        said = cross_val_predict(
            model, table, truth, groups=people, cv=folds, method="predict_proba"
        )[:, 1]
        test = mannwhitneyu(said[truth], said[~truth], alternative="greater")
        found[name] = (test.statistic / (truth.sum() * (~truth).sum()), test.pvalue)
    return found


def main(n_people: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        code = f"from pathlib import Path; from bench.controls_hidden import fill; fill(Path({scratch!r}), {n_people}, {seed})"
        subprocess.run([sys.executable, "-c", code], check=True)
        rows: list[Row] = json.loads(Path(scratch, "rows.json").read_text())
    n_controls = sum(bool(row["is_control"]) for row in rows)
    print(f"{len(rows):,} items handed to {n_people} people, {n_controls} of them control items")
    for title, leak in (("as they are", None), ("with a leak", random.Random(seed))):
        for name, (area, p) in areas(rows, leak).items():
            print(f"{title}: {name:20} area {area:.3f}, p {p:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    main(options.people, options.seed)
