from django.urls import URLPattern, URLResolver, include, path
from django.urls.resolvers import RoutePattern

from config import views
from performance.lazy_resolver import LazyResolver

urlpatterns: list[URLPattern | URLResolver] = [
    # Patterns are tried in their order: the desk's request is the one that comes all the time.
    path("", include("annotation.urls")),
    path("health/", views.health, name="health"),
    path("health/live/", views.live, name="health_live"),
    path("health/ready/", views.ready, name="health_ready"),
    path("metrics/", views.metrics, name="metrics"),
    path("", include("accounts.urls")),
    path("", include("jobs.urls")),
    path("", include("corpus.urls")),
    path("", include("scoring.urls")),
    path("", include("sampling.urls")),
    path("", include("dashboard.urls")),
    path("", include("exports.urls")),
    # Imported with the first request for it: who judges never waits for it, nor pays for its memory.
    LazyResolver(RoutePattern("api/v1/"), "config.api_urls", app_name="api", namespace="api"),
]

handler400 = "pages.errors.bad_request"
handler403 = "pages.errors.not_allowed"
handler404 = "pages.errors.not_found"
handler500 = "pages.errors.unexpected"
