"""Members' sessions, which an administrator can end."""

from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from results.core.admin import ReadOnlyAdmin

admin.site.unregister(UserSession)


@admin.register(UserSession)
class UserSessionAdmin(ReadOnlyAdmin):
    """Ends the session when its row is deleted; the library's admin would leave it open."""

    list_display = ("user", "created_at", "last_seen_at", "ip", "user_agent")
    list_select_related = ("user",)
    search_fields = ("user__email", "user__display_name", "ip")

    def has_delete_permission(self, request: HttpRequest, obj: UserSession | None = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def delete_model(self, request: HttpRequest, obj: UserSession) -> None:  # noqa: ARG002 - Django's signature
        obj.end()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[UserSession]) -> None:  # noqa: ARG002 - the same
        for session in queryset:
            session.end()
