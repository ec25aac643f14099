import sys
import urllib.request

request = urllib.request.Request(sys.argv[1], headers={"Authorization": "Bearer sk_test_1"})
with urllib.request.urlopen(request) as reply:
    print(reply.status)
