import os

from django.core.wsgi import get_wsgi_application

from config.head_requests import without_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = without_bodies(get_wsgi_application())
