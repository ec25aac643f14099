import sys

import httpx

print(httpx.get(sys.argv[1], headers={"Authorization": "Bearer sk_test_1"}).status_code)
