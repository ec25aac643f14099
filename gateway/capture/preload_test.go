package capture

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// prelude is before every script: ask gives "SNI HOST" as the gateway saw it,
// reach tells the port that a connection arrived at or was refused by.
const prelude = `
import http from 'node:http'; import https from 'node:https'; import http2 from 'node:http2';
import net from 'node:net'; import tls from 'node:tls'; import { once } from 'node:events';
import { Worker } from 'node:worker_threads'; import { execFileSync } from 'node:child_process';
const text = async (stream) => { let all = ''; for await (const part of stream.setEncoding('utf8')) all += part; return all; };
const ask = (module, options) => new Promise((resolve, reject) => {
  const request = module.get(options, (reply) => resolve(text(reply))); request.on('error', reject); });
const reach = (...args) => new Promise((resolve) => { const socket = net.connect(...args);
  socket.on('connect', () => { resolve(socket.remotePort); socket.destroy(); }).on('error', (error) => resolve(error.port ?? error.code)); });
const here = (host, options, done) => options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
const raw = async (socket, host) => { socket.write('GET / HTTP/1.1\r\nHost: ' + host + '\r\nConnection: close\r\n\r\n');
  return (await text(socket)).split('\r\n\r\n')[1]; };
`

var nodeScripts = []struct{ name, script, want string }{
	{"fetch https", `console.log(await (await fetch('https://api.example.test/v1')).text())`, "api.example.test api.example.test"},
	{"fetch http", `console.log(await (await fetch('http://api.example.test/v1')).text())`, "- api.example.test"},
	{"https.get", `console.log(await ask(https, 'https://api.example.test/v1'))`, "api.example.test api.example.test"},
	{"http.get", `console.log(await ask(http, 'http://api.example.test/v1'))`, "- api.example.test"},
	{"http.get upper case, dot at the end", `console.log(await ask(http, { host: 'API.example.test.', path: '/' }))`, "- API.example.test."},
	{
		"http.get of another machine's address", `console.log(await ask(http, 'http://203.0.113.9/')); console.log(await ask(http, 'http://[2001:db8::1]/'))`,
		"- 203.0.113.9\n- [2001:db8::1]",
	},
	{
		"keep-alive agent", `const agent = new https.Agent({ keepAlive: true });
for (const path of ['/a', '/b']) console.log(await ask(https, { host: 'api.example.test', path, agent }));
console.log(Object.values(agent.freeSockets).flat().length); agent.destroy()`,
		"api.example.test api.example.test\napi.example.test api.example.test\n1",
	},
	{"happy eyeballs", `net.setDefaultAutoSelectFamily?.(true);
console.log(await ask(https, { host: 'api.example.test', family: 6, autoSelectFamily: true }))`, "api.example.test api.example.test"},
	{
		"own lookup is not asked", `console.log(await ask(https, { host: 'api.example.test', lookup() { throw new Error('looked up') } }))`,
		"api.example.test api.example.test",
	},
	{"bound to an address of a route that is not taken", `console.log(await ask(http, { host: 'api.example.test', localAddress: '::1' }))`, "- api.example.test"},
	{"tls.connect with a server name", `const socket = tls.connect({ host: '203.0.113.9', port: 443, servername: 'api.example.test' });
await once(socket, 'secureConnect'); console.log(socket.authorized, await raw(socket, 'x.test'))`, "true api.example.test x.test"},
	{"tls.connect without", `const socket = tls.connect(443, 'api.example.test');
await once(socket, 'secureConnect'); console.log(socket.authorized, await raw(socket, 'x.test'))`, "true api.example.test x.test"},
	{"tls over a socket", `const under = net.connect('443', 'api.example.test'); await once(under, 'connect');
const socket = tls.connect({ socket: under }); await once(socket, 'secureConnect'); console.log(socket.authorized); socket.destroy()`, "true"},
	{
		"a certificate for another name is refused", `await fetch('https://other.test/').catch((error) => console.log(error.cause.code))`,
		"ERR_TLS_CERT_ALTNAME_INVALID",
	},
	{"http2", `const session = http2.connect('https://api.example.test'); const stream = session.request({ ':path': '/' });
console.log(await text(stream)); session.close()`, "api.example.test api.example.test:443"},
	{"net.Socket by hand", `const socket = new net.Socket().connect({ host: 'api.example.test', port: '80' }, () => console.log('connected'));
console.log(await raw(socket, 'x.test'))`, "connected\n- x.test"},
	{
		"options stay as they are", `const options = Object.freeze({ host: 'api.example.test', port: 80 });
const socket = net.connect(options); console.log(await raw(socket, 'x.test'), JSON.stringify(options))`,
		`- x.test {"host":"api.example.test","port":80}`,
	},
	{"inherited options", `const socket = net.connect(Object.create({ host: 'api.example.test', port: 80 })); console.log(await raw(socket, 'x.test'))`, "- x.test"},
	{
		"worker", `new Worker("fetch('https://api.example.test/').then((reply) => reply.text()).then(console.log)", { eval: true })`,
		"api.example.test api.example.test",
	},
	{"worker with an environment of its own", `new Worker("fetch('https://api.example.test/').then((reply) => reply.text()).then(console.log)",
{ eval: true, execArgv: [], env: { ...process.env, A: '1' } })`, "api.example.test api.example.test"},
	{"child process", `console.log(String(execFileSync(process.execPath, ['-e',
"require('https').get('https://api.example.test/', (reply) => reply.pipe(process.stdout))"])))`, "api.example.test api.example.test"},
	{"loopback is left alone", `for (const host of ['127.0.0.1', '127.1.2.3', 'LOCALHOST', undefined, '0.0.0.0', '::ffff:127.0.0.1'])
for (const port of [80, 443]) if (await reach({ host, port, family: 4, lookup: here }) !== port) console.log('redirected', host, port)
console.log('ok')`, "ok"},
	{"direct hosts are left alone", `for (const host of ['db.test', 'a.db.test', 'x.corp.test', 'only443.test'])
if (await reach({ host, port: 443, lookup: here }) !== 443) console.log('redirected', host);
for (const [host, port] of [['xdb.test', 443], ['only443.test', 80]])
if (await reach({ host, port, lookup: here }) === port) console.log('left alone', host); console.log('ok')`, "ok"},
	{"a socket that connects again names its run once", `const socket = new net.Socket(); socket.connect(80, 'api.example.test').destroy();
await once(socket, 'close'); console.log(await raw(socket.connect(80, 'api.example.test'), 'x.test'))`, "- x.test"},
	{"what is left alone is told no run", `const told = []; const server = net.createServer((socket) => socket.on('data', (data) => told.push(String(data))).on('end', () => socket.end()));
await once(server.listen(0), 'listening'); const { port } = server.address(); const socket = new net.Socket();
socket.connect(80, 'api.example.test').destroy(); await once(socket, 'close'); // it was to be told there
for (const at of [socket, new net.Socket()]) { at.connect(port, '127.0.0.1').end('hello'); at.resume(); await once(at, 'close'); }
server.close(); console.log(told.join())`, "hello,hello"},
	{"other ports are left alone", `console.log(await reach({ host: 'api.example.test', port: 1, lookup: here }))`, "1"},
	{"unix sockets are left alone", `const path = process.cwd() + '/s'; const server = net.createServer((socket) => socket.end('unix')).listen(path);
await once(server, 'listening'); for (const args of [[path], [{ path, port: 80, host: 'api.example.test' }]])
console.log(await text(net.connect(...args))); server.close()`, "unix\nunix"},
}

func TestPreloadCapturesNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: what the preload does is not tested here")
	}
	environ := gatewayForNode(t)
	for _, test := range nodeScripts {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			file := filepath.Join(folder, "agent.mjs")
			if err := os.WriteFile(file, []byte(prelude+test.script), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			agent := exec.CommandContext(ctx, node, file)
			agent.Env, agent.Dir = environ, folder
			out, err := agent.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != test.want {
				t.Errorf("node said\n%s\nwant\n%s\n(%v)", got, test.want, err)
			}
		})
	}
}

// gatewayForNode starts a stand-in that answers "SNI HOST" to a connection that
// has named its run, and gives the environment that leads there. Node 24 would
// go through the proxy of its own accord, so that is taken out: the preload
// alone is tested.
func gatewayForNode(t *testing.T) []string {
	t.Helper()
	gateway := func(writer http.ResponseWriter, request *http.Request) {
		sni := "-"
		if request.TLS != nil {
			sni = request.TLS.ServerName
		}
		fmt.Fprint(writer, sni, " ", request.Host)
	}
	plain := httptest.NewUnstartedServer(http.HandlerFunc(gateway))
	plain.Listener = announced{plain.Listener, t}
	plain.Start()
	t.Cleanup(plain.Close)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(gateway))
	secure.Listener = announced{secure.Listener, t}
	secure.EnableHTTP2 = true
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that scripts break off
	leaf, ca := certificates(t, "api.example.test")
	secure.TLS = &tls.Config{Certificates: []tls.Certificate{leaf}}
	secure.StartTLS()
	t.Cleanup(secure.Close)
	settings := Settings{
		ProxyURL: "http://r1:t%3Ak@" + secure.Listener.Addr().String(),
		TLSAddr:  secure.Listener.Addr().String(), PlainAddr: plain.Listener.Addr().String(),
	}
	return nodeEnviron(t, settings, ca)
}

// nodeEnviron puts the files that settings need into an awkward folder.
func nodeEnviron(t *testing.T, settings Settings, ca []byte) []string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), `a "b\c`)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	settings.CAPath = filepath.Join(folder, "ca.pem")
	settings.BundlePath = settings.CAPath
	if err := os.WriteFile(settings.CAPath, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if settings.PreloadPath, err = WritePreload(folder); err != nil {
		t.Fatal(err)
	}
	parent := append(os.Environ(), "NODE_OPTIONS=--no-warnings", "PARITY_DIRECT=db.test, .corp.test,only443.test:443,::5")
	return append(settings.Environ(parent), "NODE_USE_ENV_PROXY=0")
}

// announced is a listener whose connections have to begin with the PROXY header
// of run r1, to the byte.
type announced struct {
	net.Listener
	t *testing.T
}

func (l announced) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &announcedConn{Conn: c, t: l.t}, nil
}

type announcedConn struct {
	net.Conn
	t    *testing.T
	once sync.Once
}

func (c *announcedConn) Read(p []byte) (int, error) {
	c.once.Do(func() {
		const want = "\r\n\r\n\x00\r\nQUIT\n\x20\x00\x00\x09\xE0\x00\x06r1:t:k"
		got := make([]byte, len(want))
		if n, err := io.ReadFull(c.Conn, got); n > 0 && string(got) != want {
			c.t.Errorf("a connection began with %q, %v", got[:n], err)
		}
	})
	return c.Conn.Read(p)
}

func certificates(t *testing.T, host string) (leaf tls.Certificate, ca []byte) {
	t.Helper()
	sign := func(template, parent *x509.Certificate, key, parentKey *ecdsa.PrivateKey) []byte {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, parentKey)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	newKey := func() *ecdsa.PrivateKey {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a CA for tests"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	rootKey, leafKey := newKey(), newKey()
	rootDER := sign(root, root, rootKey, rootKey)
	leafDER := sign(&x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{host}}, root, leafKey, rootKey)
	return tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: leafKey},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER})
}
