"""Has aiohttp read the proxy variables, as Python's other clients do by themselves,
and has them leave this machine's own servers alone, whatever they are called.

Python imports this module when it starts. Another of the same name, further
along the path, is imported too.
"""
import functools
import importlib.util
import os
import sys


def trust_environment(module):
    """Changes one default of aiohttp.client."""
    begin = module.ClientSession.__init__

    @functools.wraps(begin)
    def begin_with_environment(session, *args, **kwargs):
        kwargs.setdefault("trust_env", True)
        begin(session, *args, **kwargs)

    module.ClientSession.__init__ = begin_with_environment


def is_own(host):
    """Tells a host of this machine, with or without a port."""
    host = str(host).lower()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    host = host.rstrip(".")
    if host == "localhost" or host.endswith(".localhost") or host in names:
        return True
    if host[:1].isdigit() or ":" in host:
        import ipaddress

        try:
            at = ipaddress.ip_address(host)
        except ValueError:
            return False
        at = getattr(at, "ipv4_mapped", None) or at
        return at.is_loopback or at.is_unspecified
    return False


def bypass_own(module):
    """Has urllib.request, and those that ask it, bypass the proxy for these."""
    asked = getattr(module, "proxy_bypass_environment", None)
    if asked is None:
        return

    @functools.wraps(asked)
    def bypass(host, proxies=None):
        return True if is_own(host) else asked(host, proxies)

    if module.proxy_bypass is asked:
        module.proxy_bypass = bypass
    module.proxy_bypass_environment = bypass


class Finder:
    """Waits until a program imports what is to be changed."""

    def __init__(self):
        self.waits = {"aiohttp.client": trust_environment, "urllib.request": bypass_own}

    def find_spec(self, name, path=None, target=None):
        change = self.waits.pop(name, None)
        if change is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                change(module)

            spec.loader.exec_module = exec_module
        return spec


names = [name for name in os.environ.get("PARITY_OWN_HOSTS", "").lower().split(",") if name]
sys.meta_path.insert(0, Finder())

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
ours = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401, another one
except ImportError:
    if ours is not None:
        sys.modules["sitecustomize"] = ours
