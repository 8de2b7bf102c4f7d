"""Readers of files: one module for each format, `read(path) -> records`, or `ImportProblems` with all that is wrong.

A file is read and checked whole; nothing of a file with a problem comes out. `name` is what the report
calls the file where its path says nothing (an upload). That a file cannot be opened is an OSError.
"""
