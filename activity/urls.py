from django.urls import path

from activity.views import (
    first_steps,
    history,
    house,
    invitations,
    jobs,
    joining,
    people,
    studies,
)

urlpatterns = [
    path("studies/<slug:study>/jobs/", jobs.jobs, name="jobs"),
    path("studies/<slug:study>/jobs/<int:job>/", jobs.job, name="job"),
    path("studies/<slug:study>/jobs/<int:job>/problems.csv", jobs.problems, name="job_problems"),
    path("studies/<slug:study>/jobs/<int:job>/cancel/", jobs.cancel, name="job_cancel"),
    path("studies/<slug:study>/jobs/<int:job>/resume/", jobs.resume, name="job_resume"),
    path("studies/<slug:study>/history/", history.history, name="history"),
    path("first-steps/", first_steps.first_steps, name="first_steps"),
    path("join/<str:token>/", joining.join, name="join"),
    path("house/", house.house, name="house"),
    path("house/users/new/", house.user_new, name="user_new"),
    path(
        "house/users/<int:user>/password-link/", house.user_password_link, name="user_password_link"
    ),
    path("house/studies/<slug:study>/", house.study_requester, name="study_requester"),
    path("studies/new/", studies.new, name="study_new"),
    path("studies/<slug:study>/settings/", studies.settings, name="study_settings"),
    path("studies/<slug:study>/people/", people.people, name="people"),
    path("studies/<slug:study>/people/<int:member>/", people.member_roles, name="member_roles"),
    path(
        "studies/<slug:study>/people/<int:member>/password-link/",
        people.member_password_link,
        name="member_password_link",
    ),
    path("studies/<slug:study>/people/invitations/", invitations.invitations, name="invitations"),
    path(
        "studies/<slug:study>/people/invitations/<int:invitation>/revoke/",
        invitations.revoke,
        name="invitation_revoke",
    ),
]
