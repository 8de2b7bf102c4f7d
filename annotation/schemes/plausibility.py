from annotation.schemes.base import Option, SchemeRole
from annotation.schemes.choice import VerdictScheme

SCHEME = VerdictScheme(
    name="plausibility",
    role=SchemeRole.ACCEPTANCE,
    asks="Does this response answer the question?",
    options=(
        Option("plausible", "1", "Yes, it answers the question"),
        Option("implausible", "2", "No, it does not answer the question"),
        Option("malformed", "3", "It is malformed: unreadable or ungrammatical"),
    ),
    accepted="plausible",
    prevalence={"plausible": 0.9, "implausible": 0.05, "malformed": 0.05},
    expected_seconds=30,  # as the shared task paid
)
