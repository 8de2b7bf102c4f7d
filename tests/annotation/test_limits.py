"""What a batch's settings may be: annotation/models/limits.py."""

import pytest
from django.core.exceptions import ValidationError

from annotation.models import limits


@pytest.mark.parametrize(
    ("require", "fewest", "most"),
    [
        (limits.require_judgements, 1, limits.MOST_JUDGEMENTS),
        (limits.require_claim_seconds, 1, limits.LONGEST_CLAIM_SECONDS),
        (limits.require_expected_seconds, 1, limits.MOST_EXPECTED_SECONDS),
        (limits.require_opponents, 1, limits.MOST_OPPONENTS),
    ],
)
def test_a_setting_is_taken_up_to_its_limits_and_named_beyond_them(require, fewest, most):
    require(fewest)
    require(most)
    for value in (fewest - 1, most + 1):
        with pytest.raises(ValidationError, match=f"not {value}"):
            require(value)
