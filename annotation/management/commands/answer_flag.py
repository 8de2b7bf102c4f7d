from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand, Named, Option
from annotation.actions import flags
from annotation.commands import BatchCommand, flag_called
from annotation.forms.flags import FlagAnswerForm
from annotation.review_decisions import ReviewError


class Command(FormCommand, BatchCommand):
    help = "Answer an annotator's flag. Earlier answers are kept."
    expected: ClassVar = (ReviewError,)
    named: ClassVar = (
        Named("--flag", flag_called, required=True, metavar="ID", help="as flags lists it"),
    )
    form_class = FlagAnswerForm
    form_options: ClassVar = {"text": Option("answer", metavar="TEXT")}

    def act(self, **options: Any) -> Mapping[str, Any]:
        flag, text = options["flag"], self.form(options).cleaned_data["text"]
        flags.answer(flag=flag, text=text, by=options["by"])
        return {"flag": str(flag.public_id), "n_answers": flag.answers.count()}
