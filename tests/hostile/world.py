"""A study whose every field holds something hostile, brought in the way that people bring things in: by forms
and files. Each field has a mark of its own, so that it can be seen whether a page showed it."""

import csv
import io
import re
from dataclasses import dataclass, field
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.actions import studies
from accounts.models import Role, Study, User
from annotation.models import Batch, BatchState, Flag, Item, VerdictState
from corpus.models import Turn
from jobs.actions import execution
from jobs.models import Job, JobState
from sampling.actions import evidence
from sampling.actions.evidence import EvidenceRule
from sampling.models import Candidate
from tests.annotation.desk_pages import address, client_of, send_form
from tests.conftest import member
from tests.corpus.uploads import run_newest_job, uploaded_file
from tests.factories import UserFactory
from tests.hostile import strings
from tests.hostile.strings import ADDRESS, FORMULAS, IMAGE

FILE = f"{IMAGE[2:]}{{{{ 7*7 }}}}"  # a file's name with a quote in it does not arrive
TURNS = (1, 2)
SCORES = {"first": 0.9, "second": 0.85}


@dataclass
class World:
    study: Study
    people: dict[str, User]
    marks: set[str] = field(default_factory=set)
    join: str = ""  # the address of an invitation that is still open
    batches: list[Batch] = field(default_factory=list)

    def name(self, mark: str) -> str:
        self.marks.add(mark)
        return strings.name(mark)

    def reason(self, mark: str) -> str:
        self.marks.add(mark)
        return strings.reason(mark)

    def text(self, mark: str) -> str:
        self.marks.add(mark)
        return strings.text(mark)

    def href(self, view: str, **parts: Any) -> str:
        return reverse(view, kwargs={"study": self.study.slug, **parts})


def accepted(response: HttpResponse) -> HttpResponse:
    """Every step is taken: a form that comes back would say what is wrong."""
    assert response.status_code == 302, re.findall(
        r'class="errorlist.*?</ul>|class="note bad.*?</p>', response.content.decode(), re.DOTALL
    )
    return response


def build() -> World:
    alice = UserFactory(username="alice")
    study = studies.create_study(slug="lighthouses", title="Lighthouses", requester=alice)
    carol = member(study, "carol", Role.ADJUDICATOR, by=alice)
    root = UserFactory(username="root", is_superuser=True)
    world = World(study, {"requester": alice, "adjudicator": carol, "administrator": root})
    organiser = client_of(alice)
    describe(world, organiser)
    import_corpus(world, organiser)
    score_and_draw(world, organiser)
    open_batch(world, organiser, "plausibility", world.study.pools.get())
    compare(world, organiser)
    for name in ("@SUM", "+1"):
        world.people[name] = joined(world, organiser, name)
    trust(world, organiser)
    train(world, organiser)
    judge(world, world.batches[0], "plausible", "implausible")
    end(world, organiser, world.batches[0])
    lead_on(world, organiser)
    release(world, organiser)
    fail_to_import(world, organiser)
    invite(world, organiser)
    return world


def describe(world: World, organiser: Client) -> None:
    fields = {
        "title": world.name("marktitle"),
        "description": world.text("markdescription"),
        "licence": world.name("markstudylicence"),
        "citation": world.text("markstudycitation"),
        "consent": world.text("markconsent"),
        "background": background_text(world),
    }
    accepted(organiser.post(world.href("study_settings"), fields))
    world.study.refresh_from_db()


def background_text(world: World) -> str:
    """A question with choices, and one that is answered in words."""
    chosen, asked = world.name("markchoice"), world.name("markbackground")
    return f"{asked}\n( ) {chosen}\n( ) no\n\n{world.name('markinwords')}\n___"


def done(world: World) -> Job:
    job = run_newest_job()
    assert job.state == JobState.DONE, job.message
    return job


def imported(world: World, organiser: Client, checked: Job) -> None:
    accepted(organiser.post(world.href("import_checked", job=checked.pk)))
    done(world)


def import_corpus(world: World, organiser: Client) -> None:
    truth = [
        {
            "Conversation_no": 1,
            "Turn_no": turn,
            "Truth_rewrite": world.text("markrewrite"),
            "Truth_passages": [ADDRESS],
            "Truth_answer": world.text("markreference"),
        }
        for turn in TURNS
    ]
    questions = [
        {"Conversation_no": 1, "Turn_no": turn, "Question": world.text("markquestion")}
        for turn in TURNS
    ]
    files = {
        "truth": uploaded_file(truth, f"{FILE} marktruthfile.json"),
        "questions": uploaded_file(questions, f"{FILE} questions.json"),
        "passages": uploaded_file(passages(world), f"{FILE} passages.tsv"),
    }
    about = {
        "name": world.name("markdataset"),
        "licence": world.name("marklicence"),
        "citation": world.text("markcitation"),
    }
    world.marks.add("marktruthfile")
    accepted(organiser.post(world.href("dataset_import"), files | about))
    imported(world, organiser, done(world))
    for name, letters in (("first", "built"), ("second", "guarded")):
        import_run(world, organiser, name, letters)


def passages(world: World) -> str:
    """What answers rest on; one is called as a script and has an address that is one."""
    lines = io.StringIO()
    table = csv.writer(lines, delimiter="\t", lineterminator="\n")
    table.writerow(["turn_id", "passage_id", "passage", "url"])
    for turn in TURNS:
        passage = f"The lighthouse was built by masons {world.name('markpassage')}."
        table.writerow([f"1_{turn}", world.name("markdocid"), passage, ADDRESS])
    return lines.getvalue()


def import_run(world: World, organiser: Client, name: str, letters: str) -> None:
    answers = [
        {
            "Conversation_no": 1,
            "Turn_no": turn,
            "Model_answer": f"The lighthouse was {letters} by masons. {world.text('markanswer')}",
            "Model_rewrite": strings.text("kept and shown nowhere"),
            "Model_passages": {strings.name("markdocid"): 1.5, ADDRESS: 1.0},
            "Model_evidence": {"passage_id": ADDRESS, "text": world.name("markquote")},
        }
        for turn in TURNS
    ]
    about = {
        "dataset": world.study.datasets.get().pk,
        "runs": [uploaded_file(answers, f"{FILE} markrunfile.json")],
        "names": world.name(f"markrun{name}"),
        "kind": "system",
        "team": world.name("markteam"),
        "system": world.name("marksystem"),
        "setup": world.name("marksetup"),
    }
    world.marks.add("markrunfile")
    accepted(organiser.post(world.href("run_import"), about))
    imported(world, organiser, done(world))


def score_and_draw(world: World, organiser: Client) -> None:
    dataset = world.study.datasets.get()
    turns = Turn.objects.filter(conversation__dataset=dataset)
    turns.update(meta={"type": world.name("marktype"), "maker": {"model": strings.name("maker")}})
    for metric, scorer in (("sas", world.name("markscorer")), (f"{IMAGE}m", "another")):
        lines = io.StringIO()
        table = csv.writer(lines)
        table.writerow(["id", "run", metric])
        for name, value in SCORES.items():
            table.writerows([f"1_{turn}", strings.name(f"markrun{name}"), value] for turn in TURNS)
        file = SimpleUploadedFile(f"{FILE} markscores.csv", lines.getvalue().encode())
        fields = {"dataset": dataset.pk, "file": file, "metric": metric, "scorer": scorer}
        accepted(organiser.post(world.href("scores_import"), fields))
        done(world)
    rule = {
        "dataset": dataset.pk,
        "scorer": world.study.scorers.get(metric="sas").pk,
        "threshold": "0.5",
        "min_candidates": "1",
        "bag": "default",
        "seed": "1",
        "name": world.name("markpool"),
    }
    accepted(organiser.post(world.href("pool_new"), rule))


def compare(world: World, organiser: Client) -> None:
    rule = {
        "dataset": world.study.datasets.get().pk,
        "setup": "gold",
        "references": "on",
        "strata": ["first_word", "part"],
        "allocation": "equal",
        "answered_by": "all",
        "keeps_without_passages": "on",
        "seed": "1",
        "name": world.name("markcomparison"),
    }
    accepted(organiser.post(world.href("comparison_new"), rule))


def open_batch(world: World, organiser: Client, scheme: str, pool: Any) -> Batch:
    fields = {
        "name": world.name(f"mark{scheme}"),
        "scheme": scheme,
        "pool": pool.pk,
        "guideline": world.text(f"markguideline{scheme}"),
        "judgements": 2,
        "grouping": "question",
        "claim_minutes": 30,
        "shows_context": "on",
        "seed": 1,
    }
    accepted(organiser.post(world.href("batch_new"), fields))
    batch = world.study.batches.get(scheme=scheme)
    accepted(organiser.post(world.href("batch_open", batch=batch.pk)))
    world.batches.append(batch)
    return batch


def invite(world: World, organiser: Client) -> None:
    fields = {"role": "annotator", "days": 3, "note": world.name("markinvitation")}
    accepted(organiser.post(world.href("invitations"), fields))
    page = organiser.get(world.href("invitations")).content.decode()
    found = re.search(r"http://testserver(/join/[^/]+/)", page)
    assert found, page
    world.join = found[1]


def joined(world: World, organiser: Client, name: str) -> User:
    """Somebody who came by an invitation, and called themselves so that a spreadsheet would compute it."""
    invite(world, organiser)
    newcomer = Client()
    text = newcomer.get(world.join).context["sha256"]
    said = {"name": name, "password": "dark-stone", "again": "dark-stone", "agrees": "on"}
    accepted(newcomer.post(world.join, said | {"text": text}))
    say_who_they_are(world, newcomer, text)
    return User.objects.get(username=name)


def say_who_they_are(world: World, newcomer: Client, text: str) -> None:
    """Answer the background questions, which come after the consent."""
    in_choices, in_words = world.study.background_questions.order_by("position")
    said = {
        "text": text,
        "shown": [in_choices.pk, in_words.pk],
        f"question-{in_choices.pk}": in_choices.choices[0],
        f"question-{in_words.pk}": world.name("markofoneself"),
    }
    accepted(newcomer.post(world.href("consent"), said))


def trust(world: World, organiser: Client) -> None:
    """A group, which both annotators are in, and one of them no more."""
    fields = {"name": world.name("markqualification"), "kind": "group"}
    accepted(organiser.post(world.href("qualification_new"), fields))
    asked = world.study.qualifications.get()
    members = world.study.memberships.filter(user__in=[world.people["@SUM"], world.people["+1"]])
    keys = [each.pk for each in members.order_by("pk")]
    href = world.href("qualification_decide", qualification=asked.pk)
    for act, people in (("grant", keys), ("revoke", keys[:1])):
        said = {"act": act, "person": people, "reason": world.reason("markstanding")}
        accepted(organiser.post(href, said))


def train(world: World, organiser: Client) -> None:
    """A training of one item; an annotator judges it and so can read why its label was expected."""
    fields = {
        "name": world.name("marktraining"),
        "scheme": "plausibility",
        "pool": world.batches[0].pool_id,
        "purpose": "training",
        "guideline": "Read it.",
        "judgements": 1,
        "grouping": "question",
        "claim_minutes": 30,
        "seed": 1,
    }
    accepted(organiser.post(world.href("batch_new"), fields))
    batch = world.study.batches.get(purpose="training")
    lines = io.StringIO()
    answer, why = world.text("marktrained"), world.reason("markexplanation")
    csv.writer(lines).writerows(
        [["turn", "answer", "label", "explanation"], ["1_1", answer, "malformed", why]]
    )
    file = SimpleUploadedFile(f"{FILE} keys.csv", lines.getvalue().encode())
    accepted(organiser.post(world.href("batch_control_keys", batch=batch.pk), {"keys": file}))
    accepted(organiser.post(world.href("batch_open", batch=batch.pk)))
    for who in ("@SUM", "+1"):
        desk = client_of(world.people[who])
        accepted(desk.post(address("desk_guidelines", batch)))
    accepted(send_form(desk, desk.get(address("desk", batch)), "plausible"))


def judge(world: World, batch: Batch, *labels: str) -> None:
    """Each annotator judges everything with a label of their own, comments, and flags; one skips an item
    that the other then has, too."""
    for who, label in zip(("@SUM", "+1"), labels, strict=True):
        desk = client_of(world.people[who])
        accepted(desk.post(address("desk_guidelines", batch)))
        while "assignment" in (page := desk.get(address("desk", batch))).context:
            held = page.context["assignment"]
            said = {"message": world.reason("markflag")}
            accepted(desk.post(address("desk_flag", batch, held), said))
            accepted(send_form(desk, page, label, comment=world.reason("markcomment")))


def end(world: World, organiser: Client, batch: Batch) -> None:
    """Flags are answered; it is closed and settled; what is in dispute is excluded, taken in, noted and
    adjudicated."""
    adjudicator = client_of(world.people["adjudicator"])
    for flag in Flag.objects.filter(assignment__item__batch=batch):
        said = {"text": world.reason("markflaganswer")}
        accepted(organiser.post(world.href("flag_answer", flag=flag.pk), said))
    accepted(organiser.post(world.href("batch_close", batch=batch.pk)))
    accepted(organiser.post(world.href("batch_settle", batch=batch.pk), {"rule": "unanimous"}))
    batch.refresh_from_db()
    assert batch.state == BatchState.CLOSED
    disputed = Item.objects.filter(
        batch=batch, verdicts__state=VerdictState.DISPUTED, verdicts__replaced_by=None
    )
    for item in disputed.distinct():
        acts = {
            "item_exclude": {"exclude-reason": world.reason("markexclusion")},
            "item_readmit": {"readmit-reason": world.reason("markreadmission")},
            "item_note": {"note-text": world.reason("marknote")},
            "item_adjudicate": {
                "label": "plausible",
                "reason": world.reason("markadjudication"),
            },
        }
        for view, said in acts.items():
            accepted(adjudicator.post(world.href(view, item=item.public_id), said))


def lead_on(world: World, organiser: Client) -> None:
    """Faithfulness: half of it is judged when everybody looks."""
    alice, plausibility = world.people["requester"], world.batches[0]
    candidates = Candidate.objects.filter(pool=plausibility.pool)
    name = world.name("markevidence")
    job = evidence.begin(
        study=world.study,
        dataset=plausibility.pool.dataset,
        name=name,
        plausible=list(candidates.select_related("turn__conversation")),
        rule=EvidenceRule(
            batch=plausibility.name, scorer="none", sas_threshold=None, threshold=0.0
        ),
        model="none",
        is_rehearsal=False,
        by=alice,
    )
    execution.run(job)
    open_batch(world, organiser, "faithfulness", world.study.pools.get(name=name))


def release(world: World, organiser: Client) -> None:
    """Of what is settled: the second batch is closed for it, and opened again."""
    batch = world.batches[-1]
    accepted(organiser.post(world.href("batch_close", batch=batch.pk)))
    accepted(organiser.post(world.href("batch_settle", batch=batch.pk), {"rule": "majority"}))
    dataset = world.study.datasets.get()
    said = {"dataset": dataset.pk, "set_aside_disputes": "on"}
    accepted(organiser.post(world.href("release_new"), said))
    done(world)
    accepted(organiser.post(world.href("batch_reopen", batch=batch.pk)))


def fail_to_import(world: World, organiser: Client) -> None:
    """Files that are wrong in their values, their fields and their own names."""
    truth = [
        {
            "Conversation_no": formula,
            "Turn_no": f"markproblem{strings.SCRIPT}",  # what is shown of it is short
            "Truth_rewrite": "\ud800",
            "Truth_passages": [],
            "Truth_answer": "\0",
        }
        for formula in FORMULAS
    ]
    world.marks.add("markproblem")
    file = uploaded_file(truth, f"=1+1{FILE} markwrongfile.json")
    world.marks.add("markwrongfile")
    accepted(organiser.post(world.href("dataset_import"), {"truth": file, "name": "=1+1"}))
    assert run_newest_job().result["found_problems"]
