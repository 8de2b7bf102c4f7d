"""Whether pandas, numpy, scipy and krippendorff are installed, by which numbers are recomputed."""

from __future__ import annotations

try:
    import krippendorff  # noqa: F401  verify.py is one file: its other parts use these names
    import numpy as np  # noqa: F401
    import pandas as pd  # noqa: F401
    from scipy import optimize, sparse, stats  # noqa: F401
except ImportError:
    ARE_INSTALLED = False
else:
    ARE_INSTALLED = True

INSTALL = "install pandas, numpy, scipy and krippendorff"
