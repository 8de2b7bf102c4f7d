from collections.abc import Mapping
from typing import Any, ClassVar

from accounts.commands import StudyCommand
from annotation.actions import archived_studies
from annotation.actions.archived_studies import ArchiveError


class Command(StudyCommand):
    help = "Bring an archived study back: it can be changed again."
    expected: ClassVar = (ArchiveError,)

    def act(self, **options: Any) -> Mapping[str, Any]:
        study = archived_studies.bring_back(study=options["study"], by=options["by"])
        return {"study": study.slug, "is_archived": study.is_archived}
