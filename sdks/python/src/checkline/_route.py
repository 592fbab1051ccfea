"""The route to the service, through the environment's proxies as read by urllib, and the bytes to send."""

from __future__ import annotations

import errno
import os
import ssl
from base64 import b64encode
from dataclasses import dataclass, field
from typing import Dict, Mapping, Optional, Tuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .http import HttpRequest


Way = Tuple[int, Tuple[str, int], Optional[bytes], Optional[str]]
LONGEST_IDLE = 30.0
"""Seconds after which an idle connection is not reused: middleboxes may have dropped it."""


@dataclass(frozen=True)
class Route:
    """Where to connect, and what to send there."""

    address: Tuple[str, int]
    tunnel: Optional[bytes] = field(repr=False)
    """The CONNECT request for a proxy, sent before TLS."""
    tls_host: Optional[str]
    """The host name to verify the certificate against; None for http."""
    message: bytes = field(repr=False)
    """The request, head and body."""

    @property
    def way(self) -> Way:
        """Identifies requests that can share a connection, within one process."""
        return os.getpid(), self.address, self.tunnel, self.tls_host


def route_of(request: HttpRequest) -> Route:
    """A request's route. Raises OSError when the environment's proxy is unusable."""
    url = urlsplit(request.url)
    secure = url.scheme == "https"
    host, port = url.hostname or "", url.port or (443 if secure else 80)
    headers = {"Host": url.netloc, **request.headers}
    if request.method != "GET":
        headers["Content-Length"] = str(len(request.body))
    proxy = _proxy_of(url)
    if proxy is None:
        message = _head(f"{request.method} {url.path} HTTP/1.1", headers) + request.body
        return Route((host, port), None, host if secure else None, message)
    address = (proxy.hostname or "", proxy.port or 80)
    if secure:
        authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        tunnel = _head(f"CONNECT {authority} HTTP/1.1", {"Host": authority, **_credentials(proxy)})
        return Route(address, tunnel, host, _head(f"{request.method} {url.path} HTTP/1.1", headers) + request.body)
    message = _head(f"{request.method} {request.url} HTTP/1.1", {**headers, **_credentials(proxy)}) + request.body
    return Route(address, None, None, message)


def check_tunnel(answer: bytes) -> None:
    """Raises OSError unless a proxy's response opens the tunnel."""
    status = answer.split(b"\r\n", 1)[0].split(b" ")[1:2]
    if status != [b"200"]:
        shown = status[0].decode("ascii", "replace") if status else "nothing"
        raise OSError(errno.ECONNREFUSED, f"the proxy answered {shown}")


def default_ssl_context() -> ssl.SSLContext:
    """Certificates and names are checked against the system's authorities."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _proxy_of(url: SplitResult) -> Optional[SplitResult]:
    proxy = getproxies().get(url.scheme)
    if not proxy or proxy_bypass(url.netloc):
        return None
    try:
        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        # Proxies that require TLS would receive secrets in clear text.
        usable = parts.scheme == "http" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise OSError(errno.EPROTONOSUPPORT, "the environment's proxy is not one at an http:// address")
    return parts


def _credentials(proxy: SplitResult) -> Dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _head(first_line: str, headers: Mapping[str, str]) -> bytes:
    lines = [first_line, *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii")
