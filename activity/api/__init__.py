"""Jobs in the REST API."""
