import sys

from checkline import Checkline, ChecklineError

client = Checkline()  # The key is in CHECKLINE_API_KEY.
try:
    answer = client.verify("+5511987654321")
except ChecklineError as error:
    sys.exit(f"{error.code}: {error.message}")

print(f"valid: {answer.valid}, carrier: {answer.carrier or 'unknown'}")
