from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, Option, StudyCommand
from corpus.commands import DATASET
from sampling.actions import offered_passages, writing_pools
from sampling.actions.pools import PoolError
from sampling.forms.writing import WritingForm
from sampling.models import Pool
from sampling.pools.rule import RuleError


class Command(FormCommand, StudyCommand):
    help = "Draw random questions with one passage each, for people to write answers from it."
    expected: ClassVar = (PoolError, RuleError)
    named: ClassVar = (DATASET,)
    form_class: ClassVar = WritingForm
    form_options: ClassVar = {
        "name": Option(metavar="POOL"),
        "parts": Option(
            "part",
            metavar="NAME",
            is_repeated=True,
            help="a file of the split to draw from; may be given several times; default: all",
        ),
        "n_questions": Option("questions"),
    }

    def act(self, **options: Any) -> Mapping[str, Any]:
        form = self.form(options, parts=offered_passages.parts_of(options["dataset"]))
        asked = {name: options[name] for name in ("study", "dataset", "name", "by")}
        return writing_pools.summary(self.draw(rule=form.rule(), **asked))

    def draw(self, **asked: Any) -> Pool:
        return writing_pools.draw_writing(**asked)
