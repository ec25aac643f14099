import asyncio
import sys

import aiohttp


async def main():
    async with aiohttp.ClientSession() as session:
        async with session.get(sys.argv[1], headers={"Authorization": "Bearer sk_test_1"}) as reply:
            print(reply.status)


asyncio.run(main())
