from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests say themselves what the environment has."""
    for name in ("CHECKLINE_API_KEY", "CHECKLINE_BASE_URL", "http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    # A package that a site serves has the site's address; that of the sources is nobody's.
    monkeypatch.setenv("CHECKLINE_BASE_URL", "https://api.test")
