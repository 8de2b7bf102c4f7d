from accounts.models.api_token import ApiToken
from accounts.models.background import BackgroundAnswer, BackgroundQuestion
from accounts.models.consent import Consent, ConsentText
from accounts.models.invitation import INVITATION_ROLES, Invitation
from accounts.models.member import Membership, Role, RoleGrant
from accounts.models.second_factor import RecoveryCode, SecondFactor
from accounts.models.study import Study, not_new
from accounts.models.user import ERASED, User

__all__ = [
    "ERASED",
    "INVITATION_ROLES",
    "ApiToken",
    "BackgroundAnswer",
    "BackgroundQuestion",
    "Consent",
    "ConsentText",
    "Invitation",
    "Membership",
    "RecoveryCode",
    "Role",
    "RoleGrant",
    "SecondFactor",
    "Study",
    "User",
    "not_new",
]
