"""Batches, items, disputes and reviews in the REST API."""
