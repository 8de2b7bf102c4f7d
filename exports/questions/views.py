"""The page of one question: everything that is known of a turn. It shows runs, scores and references."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus import accepted, versions
from corpus.models import Turn
from exports.questions import answers, queries
from scoring import score_queries

MOST_SHOWN = 5  # citations of an answer


# Not for adjudicators, who decide blind.
@require_safe
@guards.study(Role.REQUESTER)
def question(request: StudyRequest, study: Study, turn: int) -> HttpResponse:
    turns = Turn.objects.filter(
        conversation__dataset__study=study, conversation__dataset__staged_by=None
    )
    found = get_object_or_404(turns.select_related("conversation__dataset"), pk=turn)
    dataset = found.conversation.dataset
    alike = list(queries.turns_alike(found))
    lineage = set(versions.lineage_keys(dataset))
    earlier = [each.pk for each in alike if each.conversation.dataset_id in lineage]
    given = queries.given_answers(dataset, found)
    known = queries.known_answers(dataset, found, given, earlier)
    scores = score_queries.values_on_turn(dataset, found)
    context = {
        "turn": found,
        "dataset": dataset,
        "others": [each for each in alike if each.pk != found.pk],
        "neighbours": queries.neighbours(found),
        "references": queries.references(dataset, found),
        "groups": answers.grouped(known),
        "release": accepted.about(dataset.release) if dataset.release else "",
        "given": given,
        "most_shown": MOST_SHOWN,
        "paragraphs": queries.paragraphs(earlier),
        "offers": list(queries.offers(found)),
        "scorers": [scorer for scorer, _ in scores],
        "against_accepted": any(scorer.marks for scorer, _ in scores),
        "scored": answers.score_rows(given, scores),
    }
    return render(request, "exports/questions/question.html", context)
