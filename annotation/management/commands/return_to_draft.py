from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.management.base import CommandError

from accounts.commands import FormCommand
from annotation.actions import batches, returned_drafts
from annotation.commands import BATCH, BatchCommand, state_summary
from annotation.forms.open_batches import ReturnForm


class Command(FormCommand, BatchCommand):
    help = "Return a batch without judgements or decisions to draft."
    expected: ClassVar = (batches.BatchError,)
    named: ClassVar = (BATCH,)
    form_class = ReturnForm

    def act(self, **options: Any) -> Mapping[str, Any]:
        asked = {name: options[name] for name in ("batch", "expire_claims", "by")}
        try:
            return state_summary(returned_drafts.return_to_draft(**asked))
        except returned_drafts.HeldItemsError as error:
            raise CommandError(f"{error}, or release them with --expire-claims") from error
