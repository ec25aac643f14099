'use strict';
// Loaded into every Node process and worker of an agent by NODE_OPTIONS. A TCP
// connection to port 80 or 443 of another machine goes to the gateway instead;
// it learns from SNI and Host, which stay as they are, where it was bound for.
// Names are not looked up. Node 18 and later; no dependencies.
const net = require('node:net');
const os = require('node:os');

const gateways = { 443: address(process.env.PARITY_TLS_ADDR), 80: address(process.env.PARITY_PLAIN_ADDR) };
const direct = (process.env.PARITY_DIRECT || '').toLowerCase().split(',').map((entry) => entry.trim()).filter(Boolean);
const own = [os.hostname(), ...(process.env.PARITY_OWN_HOSTS || '').split(',')].map((name) => name.toLowerCase()).filter(Boolean);
const patched = Symbol.for('parity.capture');

function address(text) {
  const parts = /^\[?(.+?)\]?:(\d+)$/.exec(text || '');
  return parts && { host: parts[1], port: Number(parts[2]) };
}

// The run that this process belongs to, as the proxy's URL names it; '' where
// the environment leads to no proxy, or to another one than the gateway's.
function credentials() {
  const { HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy, PARITY_TLS_ADDR } = process.env;
  for (const proxy of [HTTPS_PROXY, https_proxy, HTTP_PROXY, http_proxy]) {
    try {
      const { username, password, hostname, port } = new URL(proxy);
      if (username && `${hostname}:${port || 80}` === String(PARITY_TLS_ADDR).toLowerCase()) {
        return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      }
    } catch { /* not a URL */ }
  }
  return '';
}

// The PROXY protocol header of version 2, LOCAL and without addresses, whose
// field 0xE0 names the run.
function header(run) {
  const length = (n) => String.fromCharCode(n >> 8, n & 255);
  return `\r\n\r\n\0\r\nQUIT\n\x20\0${length(run.length + 3)}\xE0${length(run.length)}${run}`;
}

const run = credentials();
const announcement = run && header(run);

// Listens to 'connect' of a socket. The header goes before anything else and
// below TLS, so on the TCP handle itself, where what is written stays in order.
function announce() {
  const handle = this._handle && (this._handle._parent || this._handle);
  if (!handle) return;
  try {
    const { WriteWrap } = process.binding('stream_wrap');
    const request = new WriteWrap();
    request.oncomplete = () => {}; // a failure is the socket's own too
    handle.writeLatin1String(request, announcement);
  } catch (error) {
    // Without it the gateway would take the connection for another run's.
    this.destroy(new Error(`parity cannot name its run on this connection: ${error.message}`));
  }
}

// 0.0.0.0 and :: are this machine too when one connects to them.
function isLoopback(host) {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::' || host === '0.0.0.0' ||
    host === '::1' || (net.isIPv4(host) && host.startsWith('127.')) || host.startsWith('::ffff:127.') ||
    host.startsWith('::ffff:7f') || own.includes(host);
}

// As in NO_PROXY: a name stands for what is below it too.
function isDirect(host, port) {
  return direct.some((entry) => {
    const [, name, only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(net.isIP(entry) ? `${entry}:${port}` : entry);
    return (!only || Number(only) === port) && (name === '' || host === name || host.endsWith('.' + name));
  });
}

// The forms that net.Socket.connect takes: what net.connect has normalised,
// (options, done), (port, host, done). A path is a Unix socket, and not ours.
function parse(args) {
  const first = Array.isArray(args[0]) ? args[0] : args;
  const done = first.findLast((arg) => typeof arg === 'function');
  if (typeof first[0] === 'object' && first[0] !== null) return { options: first[0], done };
  return { options: { port: first[0], host: typeof first[1] === 'string' ? first[1] : '' }, done };
}

function redirect(socket, args, connect) {
  const { options, done } = parse(args);
  const port = Number(options.port);
  const host = String(options.host || 'localhost').toLowerCase().replace(/^\[|\]$|\.$/g, '');
  const gateway = options.path ? null : gateways[port];
  socket.removeListener('connect', announce); // of a connect before, that failed
  if (!gateway || isLoopback(host) || isDirect(host, port)) return connect.apply(socket, args);

  // Derived, not changed: https and undici use the same object to check the
  // certificate and to pool. What concerned the route there goes.
  const own = (value) => ({ value, enumerable: true });
  const onward = Object.create(options, {
    host: own(gateway.host), port: own(gateway.port), family: own(undefined), lookup: own(undefined),
    localAddress: own(undefined), localPort: own(undefined), autoSelectFamily: own(false),
  });
  if (announcement) socket.prependOnceListener('connect', announce);
  connect.call(socket, onward, done);
  socket._host = host; // tls.connect({ socket }) checks the certificate against it
  // https and fetch name the server themselves; a bare tls.connect sends no SNI
  // at all, and the gateway could not tell where it was bound for.
  if (socket.encrypted && socket.setServername && !options.servername && !net.isIP(host)) socket.setServername(host);
  return socket;
}

if (!net.Socket.prototype[patched]) {
  const connect = net.Socket.prototype.connect;
  Object.defineProperty(net.Socket.prototype, patched, { value: true });
  net.Socket.prototype.connect = function (...args) {
    return redirect(this, args, connect);
  };
}
