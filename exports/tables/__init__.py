"""Judgements and items as the plain rows of a release (exports.rows); answers: exports.answers."""
