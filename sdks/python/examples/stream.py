from typing import Iterator

from checkline import Checkline, LookupResult, NumberInput

client = Checkline()  # The key is in CHECKLINE_API_KEY.


def numbers() -> Iterator[NumberInput]:
    yield "+5511987654321"
    yield {"number": "020 7946 0018", "country": "GB"}
    yield "+12025550109"


for item in client.lookup_stream(numbers()):
    if isinstance(item, LookupResult):
        print(item.number if item.valid else item.reason)
    else:
        print(item.code)
