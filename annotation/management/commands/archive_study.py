from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from annotation.actions import archived_studies
from annotation.actions.archived_studies import ArchiveError


class Command(StudyCommand):
    help = "Archive a study: it becomes read-only until bring_back_study."
    expected: ClassVar = (ArchiveError,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        study = archived_studies.archive(study=options["study"], by=options["by"])
        return {"study": study.slug, "is_archived": study.is_archived}
