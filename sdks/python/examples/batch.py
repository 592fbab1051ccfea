import sys

from checkline import Checkline, ChecklineError, VerificationFailedError

NUMBERS = [
    "+5511987654321",
    "+12025550109",  # Always fails in the sandbox.
    "+442079460018",
]

client = Checkline()  # The key is in CHECKLINE_API_KEY.
try:
    items = client.lookup_batch(NUMBERS)
except ChecklineError as error:
    sys.exit(f"{error.code}: {error.message}")

for number, item in zip(NUMBERS, items):
    if isinstance(item, VerificationFailedError):
        print(number, item.code)
    else:
        print(number, (item.country_name or "no country") if item.valid else item.reason)
