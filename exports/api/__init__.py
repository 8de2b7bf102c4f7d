"""Judgements and releases in the REST API."""
