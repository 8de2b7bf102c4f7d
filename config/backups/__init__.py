"""Backups: a folder with the database, the files of releases and uploads, the secret key and a manifest."""
