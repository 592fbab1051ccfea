import asyncio
import sys

from checkline import AsyncCheckline, ChecklineError


async def main() -> None:
    client = AsyncCheckline()  # The key is in CHECKLINE_API_KEY.
    numbers = ["+5511987654321", "+442079460018"]
    results = await asyncio.gather(*map(client.lookup, numbers))
    for result in results:
        print(result.number, result.valid, result.country_name)


try:
    asyncio.run(main())
except ChecklineError as error:
    sys.exit(f"{error.code}: {error.message}")
