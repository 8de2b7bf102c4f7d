from django.urls import URLPattern, URLResolver, include, path

from config import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/", views.health, name="health"),
    path("", include("accounts.urls")),
    path("", include("activity.urls")),
    path("", include("corpus.urls")),
    path("", include("scoring.urls")),
    path("", include("sampling.urls")),
    path("", include("annotation.urls")),
    path("", include("exports.urls")),
]

handler400 = "pages.errors.bad_request"
handler403 = "pages.errors.not_allowed"
handler404 = "pages.errors.not_found"
handler500 = "pages.errors.unexpected"
