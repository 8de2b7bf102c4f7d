from django.urls import path

from accounts.views import (
    account,
    background,
    consent,
    first_steps,
    history,
    invitations,
    join,
    people,
    second_factor,
    second_step,
    signing_in,
    site_administration,
    studies,
    tokens,
)

urlpatterns = [
    path("sign-in/", signing_in.sign_in, name="sign_in"),
    path("sign-in/code/", second_step.code, name="sign_in_code"),
    path("sign-out/", signing_in.sign_out, name="sign_out"),
    path("account/", account.account, name="account"),
    path("account/sign-out-everywhere/", account.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/second-factor/", second_factor.second_factor, name="second_factor"),
    path("account/second-factor/recovery-codes/", second_factor.new_codes, name="recovery_codes"),
    path("account/second-factor/turn-off/", second_factor.turn_off, name="second_factor_off"),
    path("account/background/<slug:study>/", background.own_background, name="own_background"),
    path("account/tokens/", tokens.new, name="token_new"),
    path("account/tokens/<int:number>/revoke/", tokens.revoke, name="token_revoke"),
    path("password/<str:token>/", account.password_link, name="password_link"),
    path("studies/<slug:study>/consent/", consent.consent, name="consent"),
    path(
        "studies/<slug:study>/background/", background.background_answers, name="background_answers"
    ),
    path("studies/<slug:study>/history/", history.history, name="history"),
    path("first-steps/", first_steps.first_steps, name="first_steps"),
    path("join/<str:token>/", join.join, name="join"),
    path("house/", site_administration.users_and_studies, name="house"),
    path("house/history/", history.house_history, name="house_history"),
    path("house/users/new/", site_administration.user_new, name="user_new"),
    path(
        "house/users/<int:user>/password-link/",
        site_administration.user_password_link,
        name="user_password_link",
    ),
    path(
        "house/users/<int:user>/deactivate/",
        site_administration.user_deactivate,
        name="user_deactivate",
    ),
    path(
        "house/users/<int:user>/reactivate/",
        site_administration.user_reactivate,
        name="user_reactivate",
    ),
    path(
        "house/users/<int:user>/second-factor/",
        site_administration.user_second_factor,
        name="user_second_factor",
    ),
    path(
        "house/studies/<slug:study>/", site_administration.study_requester, name="study_requester"
    ),
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
    path(
        "studies/<slug:study>/people/invitations/<int:invitation>/link/",
        invitations.new_link,
        name="invitation_link",
    ),
]
