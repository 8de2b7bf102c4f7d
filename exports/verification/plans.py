"""The plans of analysis of a release: their hashes, and whether they were frozen before the first judgement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exports.verification.findings import Findings
from exports.verification.tables import Rows


def check_plans(manifest: Mapping[str, Any], judgements: Rows, findings: Findings) -> None:
    """Check each plan against its file, and its time against those of the judgements in the tables.

    The tables lack what was taken back, so that there may have been more judgements than they have, never fewer.
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
            times = submitted.get(batch["name"], set())
            n_before = sum(time < plan["frozen_at"] for time, _ in times)
            if n_before > plan["n_judgements"]:
                problem = (
                    f"{n_before} judgements in the tables were submitted before {plan['frozen_at']}"
                )
                findings.complain(f"{path}.n_judgements", problem)
