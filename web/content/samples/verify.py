import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    "https://checkline.example/api/v1/verify",
    method="POST",
    data=json.dumps({"number": "+5511987654321"}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['CHECKLINE_API_KEY']}",
        "Content-Type": "application/json",
        "User-Agent": "my-app/1.0",  # Python's own is often rejected.
    },
)
try:
    with urlopen(request, timeout=10) as response:
        result = json.load(response)
except HTTPError as answer:
    problem = json.load(answer)
    raise RuntimeError(f"{problem['code']}: {problem['error']}") from None

fields = ("valid", "country_name", "carrier", "line_type")
known = [result[field] for field in fields if result[field] is not None]
print(*known)
