"""Reads that are one member's: an ETag of their own bytes, and no copy for anybody else."""

import hashlib
from typing import Any

from django.utils.cache import get_conditional_response
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.endpoint import Endpoint


class PrivateRead(Endpoint):
    """Answers a GET with `Cache-Control: private` and 304 where nothing changed."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if request.method in {"GET", "HEAD"} and answer.status_code == 200:
            if isinstance(answer, Response):
                answer.render()
            answer["Cache-Control"] = "private, no-cache"
            answer["Vary"] = "Authorization"
            answer["ETag"] = f'"{hashlib.sha256(answer.content).hexdigest()[:24]}"'
            return get_conditional_response(request._request, etag=answer["ETag"], response=answer)
        return answer
