"""Forms that start scoring and import scores."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError

from accounts.models import Study
from corpus.forms.kept_files import FileField, FilesForm
from corpus.models import Dataset, References, plain_name
from corpus.readers import scores
from corpus.versions import with_work_first
from scoring.actions.calibration import TwoStages
from scoring.actions.score_jobs import DEFAULT_METRICS
from scoring.actions.similarity import NOT_COMPARABLE
from scoring.models import Metric
from scoring.registry import KINDS, MEASURES, Inputs
from scoring.thresholds import DEFAULT_SCORER

MODEL_METRICS = [
    (Metric.SAS.value, "SAS: semantic answer similarity, by a model; pools are drawn by it"),
    (
        Metric.BERTSCORE.value,
        f"BERTScore F1: how near the words' meanings are, by the embedded model; {NOT_COMPARABLE}",
    ),
    (
        Metric.BERTSCORE_PRECISION.value,
        f"BERTScore precision: of the answer's words; {NOT_COMPARABLE}",
    ),
    (
        Metric.BERTSCORE_RECALL.value,
        f"BERTScore recall: of the reference's words; {NOT_COMPARABLE}",
    ),
]
REFERENCES = [
    (References.TRUTH.value, "those of the truth"),
    (References.GOLD.value, "gold answers too"),
    (References.SILVER.value, "gold and silver answers too"),
]
# By what the measures are of.
METRICS = [
    (
        kind,
        [
            *(
                (name, f"{measure.label}: {measure.about}")
                for name, measure in MEASURES.items()
                if measure.inputs is inputs
            ),
            *(MODEL_METRICS if inputs is Inputs.REFERENCES else []),
        ],
    )
    for inputs, kind in KINDS.items()
]


def allowed_models() -> list[tuple[str, str]]:
    return [(name, name) for name in (DEFAULT_SCORER, *settings.SIMILARITY_MODELS)]


class MetricsInput(forms.CheckboxSelectMultiple):
    """A group of check boxes for each kind of measure."""

    template_name = "scoring/_metrics.html"


class DatasetForm(forms.Form):
    dataset = forms.ModelChoiceField(
        Dataset.objects.none(),
        label="Data set",
        empty_label=None,
        help_text="The answers of all its runs.",
    )

    def __init__(self, *args: Any, study: Study, **options: Any) -> None:
        super().__init__(*args, **options)
        field = cast("forms.ModelChoiceField[Dataset]", self.fields["dataset"])
        field.queryset = with_work_first(study.datasets.counting().select_related("study"))


class ScoreForm(DatasetForm):
    metrics = forms.MultipleChoiceField(
        choices=METRICS,
        widget=MetricsInput,
        label="Measures",
        initial=DEFAULT_METRICS,
        help_text="What has a score already is not scored again.",
        error_messages={"required": "Choose at least one."},
    )
    references = forms.ChoiceField(
        choices=REFERENCES,
        required=False,
        label="References",
        initial=References.TRUTH,
        help_text="Of several the best counts. Accepted answers are in versions that read a release.",
    )
    model = forms.ChoiceField(
        choices=allowed_models,
        required=False,
        label="Model for SAS",
        initial=DEFAULT_SCORER,
        help_text=f"{DEFAULT_SCORER} comes with Touchstone. Whoever runs this Touchstone can allow others.",
    )
    bf16 = forms.BooleanField(
        required=False,
        label="Compute SAS in bfloat16",
        help_text="Faster on a GPU. Stored as a separate scorer.",
    )

    derive_relevance = forms.BooleanField(
        required=False,
        initial=True,
        label="Where the truth names no passage, derive which are relevant",
        help_text="For the ranking of passages: relevant are then those in which a stretch has a token F1"
        " of .8 or more with the reference answer. Stored as a separate scorer.",
    )
    about = forms.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        label="SAS in two stages, about the threshold",
        help_text="For a cross-encoder and very many answers: the model is asked only about answers near"
        " this threshold, which is on its scale, and the bi-encoder that comes with Touchstone about all."
        " A sample says first how near that is. Pools can then be drawn at this threshold only. Empty:"
        " the model is asked about every answer.",
    )

    def clean_model(self) -> str:
        """Return what the name stands for: a folder or a name of the hub."""
        return settings.SIMILARITY_MODELS.get(self.cleaned_data["model"], DEFAULT_SCORER)

    def clean_references(self) -> References:
        return References(self.cleaned_data["references"] or References.TRUTH)

    def clean_about(self) -> float | None:
        about: float | None = self.cleaned_data["about"]
        if about is not None and self.cleaned_data.get("model") == DEFAULT_SCORER:
            raise ValidationError("Two stages need a cross-encoder: name it as the model.")
        return about

    @property
    def two_stages(self) -> TwoStages | None:
        about = self.cleaned_data["about"]
        return None if about is None else TwoStages(about)


SCORES, RAGAS = "scores", "ragas"


class ImportForm(FilesForm, DatasetForm):
    format = forms.ChoiceField(
        choices=[
            (SCORES, "a column of scores, with the columns id (the turn, such as 7_1) and run"),
            (RAGAS, "results of RAGAS, with user_input, response and a column for each metric"),
        ],
        required=False,
        initial=SCORES,
        widget=forms.RadioSelect,
        label="Format",
    )
    file = FileField(
        label="Scores",
        help_text="CSV, separated by commas, with a header. The example is a column of scores.",
        example=scores.EXAMPLE,
    )
    metric = forms.CharField(
        max_length=40,
        required=False,
        validators=[plain_name],
        help_text="What the scores measure, and the name of their column. Pools are drawn by sas."
        " Empty: all metrics of a file of RAGAS; others need one.",
    )
    scorer = forms.CharField(
        max_length=200,
        validators=[plain_name],
        help_text="What gave the scores, for example the model's name. Its later scores join them.",
    )
    run = forms.CharField(
        max_length=200,
        required=False,
        help_text="Of RAGAS: the run whose answers are in the file. Empty: its column run.",
    )
    leave_out_unknown = forms.BooleanField(
        required=False,
        label="Leave out scores of answers that are not there",
        help_text="They are counted. Otherwise they are problems, and nothing is imported. Not for RAGAS.",
    )

    def clean_format(self) -> str:
        return self.cleaned_data["format"] or SCORES

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self.cleaned_data.get("format") == RAGAS:
            if self.cleaned_data.get("leave_out_unknown"):
                self.add_error(
                    "leave_out_unknown", "A file of RAGAS is taken whole, or not at all."
                )
            return cleaned
        if not self.cleaned_data.get("metric") and "metric" not in self.errors:
            self.add_error("metric", "This field is required.")
        if self.cleaned_data.get("run"):
            self.add_error(
                "run", "Only a file of RAGAS takes a run here: others have a column run."
            )
        return cleaned

    def clean_scorer(self) -> str:
        name = str(self.cleaned_data["scorer"])
        if "#" in name:
            raise ValidationError("The name of a scorer has no #: it begins the version.")
        return name
