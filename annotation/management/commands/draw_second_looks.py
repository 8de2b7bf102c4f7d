from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import FormCommand
from annotation.actions import double_adjudication
from annotation.commands import BATCH, BatchCommand
from annotation.forms.double_adjudication import DrawForm
from annotation.review_decisions import ReviewError


class Command(FormCommand, BatchCommand):
    help = "Sample adjudications of a closed batch for a second, blind adjudication."
    expected: ClassVar = (ReviewError,)
    named: ClassVar = (BATCH,)
    form_class = DrawForm

    def act(self, **options: Any) -> Mapping[str, Any]:
        asked = self.form(options).cleaned_data
        drawn = double_adjudication.draw(batch=options["batch"], **asked, by=options["by"])
        return {"n_adjudicated": drawn.n_adjudicated, "n_drawn": drawn.asked.count()}
