import sys

import requests

print(requests.get(sys.argv[1], headers={"Authorization": "Bearer sk_test_1"}).status_code)
