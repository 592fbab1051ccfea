"""Phone number verification with Checkline.

>>> from checkline import Checkline
>>> client = Checkline("ch_test_…")
>>> client.lookup("+5511987654321").carrier
'TIM'
"""

from ._async_client import AsyncCheckline
from ._async_http import StandardAsyncHttpClient
from ._calls import BatchItem, NumberInput
from ._client import Checkline
from ._stream import StreamItem
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
from .lookup_result import Allocation, Deliverability, LookupResult, ShortCode, Suggestion
from .results import Quota, RateLimit, ResponseInfo, Verification
from .values import (
    AllocationState,
    DeliverabilityFlag,
    InvalidReason,
    Likelihood,
    LineType,
    LineTypeSource,
    NumberType,
    RejectionReason,
    ShortCodeCost,
    SuggestionReason,
)

__all__ = [
    "Allocation",
    "AllocationState",
    "AsyncCheckline",
    "AsyncHttpClient",
    "AuthenticationError",
    "BatchItem",
    "Checkline",
    "ChecklineConnectionError",
    "ChecklineError",
    "Deliverability",
    "DeliverabilityFlag",
    "HttpClient",
    "HttpRequest",
    "HttpResponse",
    "InvalidReason",
    "InvalidRequestError",
    "Likelihood",
    "LineType",
    "LineTypeSource",
    "LookupResult",
    "NumberInput",
    "NumberType",
    "Quota",
    "QuotaError",
    "RateLimit",
    "RateLimitError",
    "RejectionReason",
    "ResponseInfo",
    "ServerError",
    "ShortCode",
    "ShortCodeCost",
    "StandardAsyncHttpClient",
    "StandardHttpClient",
    "StreamItem",
    "Suggestion",
    "SuggestionReason",
    "Verification",
    "VerificationFailedError",
    "__version__",
]
