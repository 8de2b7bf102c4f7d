from collections.abc import Mapping
from typing import Any, ClassVar

from accounts import permissions
from accounts.commands import Named
from accounts.models import Role
from annotation.commands import BatchCommand, qualification_called
from annotation.queries import standings


class Command(BatchCommand):
    help = "List who holds which qualification, and what was decided last of each person."
    named: ClassVar = (
        Named("--qualification", qualification_called, help="default: all of the study"),
    )

    def act(self, **options: Any) -> Mapping[str, Any]:
        study, one = options["study"], options["qualification"]
        permissions.require_reader(options["by"], study, Role.REQUESTER)
        asked = [one] if one else list(study.qualifications.all())
        found = [(each, standings.current(each)) for each in asked]
        return {
            "qualifications": [
                {
                    "qualification": each.name,
                    "is_group": each.is_group,
                    "n_granted": sum(row.state == "granted" for row in current.values()),
                    "people": [
                        {
                            "annotator": row.user.username,
                            "state": row.state,
                            "reason": row.reason,
                            "by": row.by.username if row.by else "rule",
                            "at": row.at.isoformat(),
                        }
                        for row in sorted(current.values(), key=lambda row: row.user.username)
                    ],
                }
                for each, current in found
            ]
        }
