"""Has aiohttp read the proxy variables, as Python's other clients do by themselves.

Python imports this module when it starts. Another of the same name, further
along the path, is imported too.
"""
import functools
import importlib.util
import os
import sys


class Finder:
    """Waits until a program imports aiohttp's client, and changes one default."""

    def find_spec(self, name, path=None, target=None):
        if name != "aiohttp.client":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                begin = module.ClientSession.__init__

                @functools.wraps(begin)
                def begin_with_environment(session, *args, **kwargs):
                    kwargs.setdefault("trust_env", True)
                    begin(session, *args, **kwargs)

                module.ClientSession.__init__ = begin_with_environment

            spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Finder())

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
ours = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401, another one
except ImportError:
    if ours is not None:
        sys.modules["sitecustomize"] = ours
