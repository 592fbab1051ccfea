"""Phone number verification with Checkline.

>>> from checkline import Checkline
>>> client = Checkline("ch_test_…")
>>> client.lookup("+5511987654321").carrier
'TIM'
"""

from ._async_client import AsyncCheckline
from ._async_http import StandardAsyncHttpClient
from ._calls import BatchItem
from ._client import Checkline
from ._stream import StreamedNumber, StreamItem
from ._sync_http import StandardHttpClient
from ._version import VERSION as __version__
from .errors import (
    AuthenticationError,
    ChecklineConnectionError,
    ChecklineError,
    InvalidRequestError,
    QuotaError,
    RateLimitError,
    ServerError,
    VerificationFailedError,
)
from .http import AsyncHttpClient, HttpClient, HttpRequest, HttpResponse
from .lookup_result import Deliverability, LookupResult, ShortCode, Suggestion
from .results import Quota, RateLimit, ResponseInfo, Verification

__all__ = [
    "AsyncCheckline",
    "AsyncHttpClient",
    "AuthenticationError",
    "BatchItem",
    "Checkline",
    "ChecklineConnectionError",
    "ChecklineError",
    "Deliverability",
    "HttpClient",
    "HttpRequest",
    "HttpResponse",
    "InvalidRequestError",
    "LookupResult",
    "Quota",
    "QuotaError",
    "RateLimit",
    "RateLimitError",
    "ResponseInfo",
    "ServerError",
    "ShortCode",
    "StandardAsyncHttpClient",
    "StandardHttpClient",
    "StreamItem",
    "StreamedNumber",
    "Suggestion",
    "Verification",
    "VerificationFailedError",
    "__version__",
]
