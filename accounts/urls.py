from django.urls import path

from accounts.views import account, consent, signing_in, tokens

urlpatterns = [
    path("sign-in/", signing_in.sign_in, name="sign_in"),
    path("sign-out/", signing_in.sign_out, name="sign_out"),
    path("account/", account.account, name="account"),
    path("account/sign-out-everywhere/", account.sign_out_everywhere, name="sign_out_everywhere"),
    path("account/tokens/", tokens.new, name="token_new"),
    path("account/tokens/<int:number>/revoke/", tokens.revoke, name="token_revoke"),
    path("password/<str:token>/", account.password_link, name="password_link"),
    path("studies/<slug:study>/consent/", consent.consent, name="consent"),
]
