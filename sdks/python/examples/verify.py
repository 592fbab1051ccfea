import sys

from checkline import Checkline, ChecklineError

client = Checkline()  # The key is in CHECKLINE_API_KEY.
try:
    result = client.lookup("+5511987654321")
except ChecklineError as error:
    sys.exit(f"{error.code}: {error.message}")

fields = (result.country_name, result.carrier, result.line_type)
print(result.valid, *(field for field in fields if field is not None))
