package capture

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/gateway/ingress"
)

// gatewayOfRuns is a real data port that answers which run a request is for.
func gatewayOfRuns(t *testing.T) (addr string, ca []byte) {
	t.Helper()
	authority, err := ingress.OpenCA(ingress.CAOptions{Dir: filepath.Join(t.TempDir(), "ca")})
	if err != nil {
		t.Fatal(err)
	}
	server, err := ingress.New(ingress.Options{
		CA: authority,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			origin, _ := ingress.FromContext(r.Context())
			fmt.Fprintf(w, "%s %s:%s", origin.Way, origin.RunName, origin.RunToken)
		}),
		Decide: func(_ context.Context, a ingress.Approach) ingress.Verdict {
			if a.Authority.Host != "api.example.test" {
				return ingress.Verdict{Message: "not allowed, run " + a.Credentials.Name}
			}
			return ingress.Verdict{Action: ingress.Intercept}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 60*time.Second)
		defer stop()
		if err := server.Shutdown(ctx); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String(), authority.CertPEM()
}

// Node programs of two runs once looked the same to a gateway that both use.
func TestNodeProgramsOfTwoRunsAreToldApart(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: how its programs name their run is not tested here")
	}
	addr, ca := gatewayOfRuns(t)
	file := filepath.Join(t.TempDir(), "agent.mjs")
	const script = `
const said = [];
const agent = new https.Agent({ keepAlive: true });
for (let n = 0; n < 2; n++) said.push(await ask(https, { host: 'api.example.test', path: '/', agent }));
agent.destroy();
said.push(await ask(http, 'http://api.example.test/'), await (await fetch('https://api.example.test/')).text());
const session = http2.connect('https://api.example.test'); said.push(await text(session.request({ ':path': '/' }))); session.close();
said.push(await (await fetch('https://evil.example.test/')).text());
said.push(String(execFileSync(process.execPath, ['-e', "require('http').get('http://api.example.test/', (reply) => reply.pipe(process.stdout))"])));
console.log(said.map((each) => each.trim()).join('\n'));
`
	if err := os.WriteFile(file, []byte(prelude+script), 0o600); err != nil {
		t.Fatal(err)
	}
	wants := func(run, name string) string {
		return fmt.Sprintf("sni %[1]s\nsni %[1]s\ndirect %[1]s\nsni %[1]s\nsni %[1]s\nnot allowed, run%[2]s\ndirect %[1]s", run, name)
	}
	settings := Settings{TLSAddr: addr, PlainAddr: addr}
	var all sync.WaitGroup
	for _, c := range []struct{ name, proxy, more, want string }{
		{"one", "http://one:s1@" + addr, "", wants("one:s1", " one")},
		{"two", "http://two:s%202@" + addr, "", wants("two:s 2", " two")},
		{"no credentials", "http://" + addr, "", wants(":", "")},
		{"no proxy", "", "", wants(":", "")},
		{"a proxy of its own", "http://user:password@192.0.2.1:8080", "", wants(":", "")},
		{"no URL", "one:s1@" + addr, "", wants(":", "")},
		{"only one of the variables is left", "http://one:s1@" + addr, "HTTPS_PROXY=", wants("one:s1", " one")},
	} {
		settings.ProxyURL = c.proxy
		environ := append(nodeEnviron(t, settings, ca), c.more)
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			agent := exec.CommandContext(ctx, node, file)
			agent.Env = environ
			out, err := agent.CombinedOutput()
			if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
				t.Errorf("%s: node said\n%s\nwant\n%s\n(%v)", c.name, got, c.want, err)
			}
		})
	}
	all.Wait()
}
