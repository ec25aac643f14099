# python3 client.py WAY NAME: one call by a way that Python programs take.
import http.client, socket, ssl, sys, urllib.request

way, name = sys.argv[1:3]
host, path = "api.shop.invalid", "/things/" + name
if way == "urllib":
    try:
        urllib.request.urlopen(urllib.request.Request("https://" + host + path))
    except urllib.error.HTTPError as e:
        print(e.code)
elif way == "http.client":  # knows no proxy
    c = http.client.HTTPSConnection(host)
    c.request("GET", path)
    print(c.getresponse().status)
elif way == "socket":
    text = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    s = ssl.create_default_context().wrap_socket(socket.create_connection((host, 443)), server_hostname=host)
    s.sendall(text.encode())
    print(s.recv(4096).decode())
elif way == "udp":
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.settimeout(2)
    s.sendto(b"\x1b" + 47 * b"\0", ("203.0.113.7", 123))
    print(s.recv(100))
elif way == "database":
    socket.create_connection(("203.0.113.8", 5432), 5)
