from annotation.schemes.base import Option, SchemeRole
from annotation.schemes.choice import VerdictScheme

SCHEME = VerdictScheme(
    name="faithfulness",
    role=SchemeRole.GROUNDING,
    asks="Does the response follow from the evidence?",
    options=(
        Option("faithful", "1", "Yes, the evidence supports it"),
        Option("unfaithful", "2", "No, the evidence does not support it"),
        Option("irrelevant", "3", "The evidence is about something else"),
    ),
    accepted="faithful",
    shows_evidence=True,
    prevalence={"faithful": 0.9, "unfaithful": 0.05, "irrelevant": 0.05},
    expected_seconds=60,  # the minute that the shared task paid
)
