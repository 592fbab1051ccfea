import asyncio
import sys

from checkline import AsyncCheckline, ChecklineError, LookupResult


async def main() -> None:
    async with AsyncCheckline() as client:  # The key is in CHECKLINE_API_KEY.
        async for item in client.lookup_all(["+5511987654321", "+442079460018"]):
            if isinstance(item, LookupResult):
                print(item.number if item.valid else item.reason)


try:
    asyncio.run(main())
except ChecklineError as error:
    sys.exit(f"{error.code}: {error.message}")
