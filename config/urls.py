from django.urls import URLPattern, path

from config import views

urlpatterns: list[URLPattern] = [
    path("health/", views.health, name="health"),
]
