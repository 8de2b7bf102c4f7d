"""The pages that come first are tested on the same data as those of exports."""

from tests.exports.conftest import faithfulness, plausibility, pool

__all__ = ["faithfulness", "plausibility", "pool"]
