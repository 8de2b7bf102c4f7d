"""Judgements and items as the plain rows of a release (exports.rows.columns); answers: exports.rows.answers."""
