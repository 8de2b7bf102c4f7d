"""The rows of a release's tables, as dataclasses of `exports.rows.columns`."""
