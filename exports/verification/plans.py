"""The plans of analysis of a release: their hashes, and whether they were frozen before the first judgement."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from exports.verification.findings import Findings
from exports.verification.tables import Rows

FORM_OF_TIMES = "%Y-%m-%dT%H:%M:%S.%fZ"
# A judgement has the time at which its request came, and is counted once it is stored: for so long it can have been on
# its way, earlier than a plan and not among the judgements that the plan counts.
SECONDS_ON_THE_WAY = 60


def check_plans(manifest: Mapping[str, Any], judgements: Rows, findings: Findings) -> None:
    """Check each plan against its file, and its time against those of the judgements in the tables.

    The tables lack what was taken back, so that there may have been more judgements than they have, never fewer
    but for those that were on their way.
    """
    submitted: dict[str, set[tuple[str, str]]] = {}
    for row in judgements:
        at = (row["submitted_at"], row["assignment_id"])
        submitted.setdefault(row["batch"], set()).add(at)
    for at_batch, batch in enumerate(manifest["batches"]):
        for at_plan, plan in enumerate(batch.get("analysis_plans", [])):
            path = f"manifest.json.batches[{at_batch}].analysis_plans[{at_plan}]"
            findings.compare(manifest["files"].get(plan["file"]), plan["sha256"], f"{path}.sha256")
            is_before = plan["n_judgements"] == 0
            findings.compare(
                is_before, plan["is_before_judgements"], f"{path}.is_before_judgements"
            )
            try:
                until = _counted_until(plan["frozen_at"])
            except (ValueError, TypeError, OverflowError):
                findings.complain(f"{path}.frozen_at", f"{plan['frozen_at']!r} is no time")
                continue
            times = submitted.get(batch["name"], set())
            n_before = sum(time < until for time, _ in times)
            if n_before > plan["n_judgements"]:
                problem = (
                    f"{n_before} judgements in the tables were submitted more than {SECONDS_ON_THE_WAY} s"
                    f" before {plan['frozen_at']}"
                )
                findings.complain(f"{path}.n_judgements", problem)


def _counted_until(frozen_at: str) -> str:
    """Return the time before which a plan counts each judgement. Raises ValueError, TypeError or OverflowError."""
    # Times are UTC, and compared as they are written.
    at = datetime.strptime(frozen_at, FORM_OF_TIMES)  # noqa: DTZ007
    return (at - timedelta(seconds=SECONDS_ON_THE_WAY)).strftime(FORM_OF_TIMES)
