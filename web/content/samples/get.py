import json
from urllib.request import Request, urlopen

request = Request(
    "https://checkline.example/api/v1/countries/GM",
    headers={"User-Agent": "my-app/1.0"},  # Python's own is often rejected.
)
with urlopen(request, timeout=10) as response:
    print(json.load(response))
