"""Base classes of the REST API, and its addresses of studies.

API and pages call the same actions; neither imports the other.

Version 1 promises: no field is removed, renamed or given another meaning, no address moves, and no
request needs more than it does now. Fields, addresses and values may be added. Any other change
needs a /api/v2/ beside this one.
"""
