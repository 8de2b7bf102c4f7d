"""What every endpoint of the REST API is made of, and those about studies.

The API stands beside the pages: both call the same actions, neither the other's code. Version 1 promises
that what a program reads stays: a field is never taken away, renamed or given another meaning, an address
never moved, and nothing more is demanded of a request. Fields, addresses and values may be added. All
else is a breaking change, and needs a /api/v2/ beside this one.
"""
