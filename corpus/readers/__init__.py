"""Readers of files, one module a format.

`read(path)` returns records or raises `ImportProblems` with all problems. A file is read and
checked as a whole; a file with a problem returns no records. `name` is the file's name in problems
if its path has another (an upload). A file that cannot be opened raises OSError.
"""
