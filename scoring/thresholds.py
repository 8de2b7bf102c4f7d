"""The thresholds that belong to a scorer: one scale's .8 is not another's. Plain Python, no model.

Source of the paper's: its notebooks keep sentences of evidence whose SAS with an answer is over .8, by a
cross-encoder. The embedded bi-encoder's cosine has another scale (scoring.similarity_models).
"""

DEFAULT_SCORER = "all-MiniLM-L6-v2"

EVIDENCE_OF_THE_PAPER = 0.8
EVIDENCE = {DEFAULT_SCORER: 0.68}  # docs/adr/0003-evidence-threshold.md says why


def evidence_threshold(scorer: str) -> float:
    """The SAS that a sentence of evidence must exceed, unless the requester says otherwise."""
    return EVIDENCE.get(scorer, EVIDENCE_OF_THE_PAPER)
