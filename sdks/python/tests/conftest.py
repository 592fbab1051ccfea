from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests set the environment themselves."""
    for name in ("CHECKLINE_API_KEY", "CHECKLINE_BASE_URL", "http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    # A package served by a site has the site's address; the sources' address belongs to no one.
    monkeypatch.setenv("CHECKLINE_BASE_URL", "https://api.test")
