from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from exports.deletions import actions
from exports.deletions.actions import DeletionError


class Command(StudyCommand):
    help = "Delete a study without data sets. This cannot be undone."
    expected: ClassVar = (DeletionError,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        study = options["study"]
        summary = {"study": study.slug, "id": study.pk, "deleted": True}
        actions.delete_study(study=study, by=options["by"])
        return summary
