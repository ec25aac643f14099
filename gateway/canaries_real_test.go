package gateway_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parity/gateway"
	"parity/gateway/exchange"
)

// echoedKey is a credential of a real service, which looks as one does.
const echoedKey = "rk_live_51canaryCANARY0042/x+yQ7z"

// echoes are the ways in which a real service gives a credential back: a reply,
// and the form that it stands in there.
func echoes() map[string][2]string {
	reply := func(form, body string, head ...string) [2]string {
		return [2]string{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + strings.Join(append(head, ""), "\r\n") + fmt.Sprintf("Connection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body), form}
	}
	in := func(form string) [2]string {
		return reply(form, `{"id":"t1","object":"customer","title":"you sent `+form+` to us","description":"`+form+`"}`)
	}
	each := func(with string) string {
		var all strings.Builder
		for _, c := range []byte(echoedKey) {
			fmt.Fprintf(&all, with, c)
		}
		return all.String()
	}
	inBase64 := func(before, after string) [2]string {
		return in(base64.StdEncoding.EncodeToString([]byte(before + echoedKey + after)))
	}
	wide := `{"title":"` + strings.ReplaceAll(each("%c|"), "|", "\x00") + `"}`
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = io.WriteString(z, `{"title":"`+echoedKey+`"}`)
	_ = z.Close()
	jwt := "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+echoedKey+`"}`)) + ".sig"
	const ok = `{"id":"t1"}`
	return map[string][2]string{
		"body": in(echoedKey), "base64": inBase64("", ""), "base64-1": inBase64("k", "12"), "base64-2": inBase64("ke", ""), "basic": inBase64("", ":"), "bearer": inBase64(`{"a":"Bearer `, `"}`),
		"percent": in(strings.NewReplacer("/", "%2F", "+", "%2B").Replace(echoedKey)), "percent-all": in(each("%%%02x")), "percent-twice": in(each("%%25%02X")), "hex": in(hex.EncodeToString([]byte(echoedKey))), "HEX": in(strings.ToUpper(hex.EncodeToString([]byte(echoedKey)))),
		"json": in(strings.ReplaceAll(echoedKey, "/", `\/`)), "unicode": in(each(`\u%04x`)), "unicode-some": in(`\u0072` + echoedKey[1:]), "entities": in(each("&#%d;")), "entities-hex": in(each("&#x%x;")),
		"upper": in(strings.ToUpper(echoedKey)), "lines": in(strings.Replace(base64.StdEncoding.EncodeToString([]byte(echoedKey)), "N", `N\r\n`, 1)), "jwt": in(jwt), "wide": reply(echoedKey, wide),
		"gzip":       {"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" + zipped.String(), echoedKey},
		"chunks":     {fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n%x\r\n{\"title\":\"%s\r\n%x\r\n%s\"}\r\n0\r\nX-Trailer: %s\r\n\r\n", 10+9, echoedKey[:9], len(echoedKey)-9+2, echoedKey[9:], echoedKey), echoedKey},
		"text":       reply(echoedKey, "no JSON at all: "+echoedKey),
		"header":     reply(echoedKey, ok, "X-Echo: Bearer "+echoedKey),
		"cookie":     reply(echoedKey, ok, "Set-Cookie: sid="+echoedKey+"; Path=/"),
		"links":      reply(echoedKey, ok, `Link: </v1/tickets?key=`+echoedKey+`>; rel="next"`, "ETag: \""+echoedKey+"\"", "Date: "+echoedKey, "Content-Type: text/plain; k="+echoedKey, "Request-Id: "+echoedKey),
		"error":      {"HTTP/1.1 2" + echoedKey + " OK\r\n\r\n", echoedKey},
		"bad-header": {"HTTP/1.1 200 OK\r\nX Y" + echoedKey + "\r\n\r\n", echoedKey},
		"early":      {"HTTP/1.1 103 Early Hints\r\nLink: <" + echoedKey + ">\r\n\r\nHTTP/1.1 500 " + echoedKey + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", echoedKey},
		"redirect":   {"HTTP/1.1 302 Found\r\nLocation: /v1/tickets/" + echoedKey + "?k=" + echoedKey + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", echoedKey},
		"elsewhere":  {"HTTP/1.1 302 Found\r\nLocation: https://evil.example/" + echoedKey + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", echoedKey},
		"no-address": {"HTTP/1.1 302 Found\r\nLocation: http://[" + echoedKey + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", echoedKey},
		"encoding":   reply(echoedKey, ok, "Content-Encoding: "+echoedKey),
	}
}

// A real service that gives its credential back in whatever form, and an agent that
// has found it: it is in nothing that the agent gets, nor in anything that is
// written.
func TestTheCredentialOfARealServiceIsNowhere(t *testing.T) {
	t.Parallel()
	certificate, roots := certified(t, nil)
	says := map[string]func(io.Writer){}
	for name, echo := range echoes() {
		says[name] = func(w io.Writer) { _, _ = io.WriteString(w, echo[0]) }
	}
	s := scriptedService(t, &tls.Config{Certificates: []tls.Certificate{certificate}}, says)
	dir, tapes := t.TempDir(), t.TempDir()
	key, trust := filepath.Join(dir, "key"), filepath.Join(dir, "roots.pem")
	for file, text := range map[string]string{key: echoedKey + "\n", trust: string(roots)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := "profile: echoes\nseed: 7\nservices:\n"
	for name, more := range map[string]string{"stripe": "credential: {env: REAL}", "trap": fmt.Sprintf("credential: {file: %q}", key)} {
		text += fmt.Sprintf("  %s:\n    mode: live-read\n    record: %q\n    upstream: {%s, hosts: [%q], roots: %q, timeout: 5s}\n", name, tapes, more, s.host, trust)
		if name == "trap" {
			text += "    contract: trap.yaml\n    hosts: [trap.example]\n"
		}
	}
	var log syncedLog
	var broken atomic.Bool
	h := open(t, text+"clock: {mode: stepped}\n", beside(t, "trap.yaml", trap), func(o *gateway.Settings) {
		o.Token, o.Log = controlToken, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.Getenv = func(name string) string { return map[string]string{"REAL": echoedKey}[name] }
		o.Before = func(step exchange.Step) {
			if step == exchange.Enact && broken.CompareAndSwap(true, false) {
				panic("it breaks")
			}
		}
	})
	got := map[string]string{}
	ask := func(name, method, target, body string, header ...string) {
		t.Helper()
		r := requestOf(t, method, target, "Bearer sk_test_parityparity", nil)
		if body != "" {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Type", "application/json")
		}
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		c := h.single()
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		reply, err := c.Do(r)
		if err != nil {
			got[name] = ""
			return
		}
		defer reply.Body.Close()
		said, _ := io.ReadAll(reply.Body)
		got[name] = fmt.Sprint(reply.Status, reply.Header, string(said))
		if reply.Header.Get("X-Parity-Refused") == "live-secret" {
			got["refused "+name] = ""
		}
	}
	base := "http://" + h.Addr()
	for name := range echoes() {
		ask("stripe "+name, "GET", base+"/stripe/v1/customers/"+name, "")
		ask("trap "+name, "GET", base+"/trap/v1/tickets/"+name, "")
		ask("write "+name, "PATCH", base+"/trap/v1/tickets/"+name, `{"status":"closed"}`)
	}
	broken.Store(true)
	ask("broken", "GET", base+"/trap/v1/tickets/body", "")
	ask("own header", "GET", base+"/trap/v1/tickets/t1", "", "Authorization", "Bearer "+echoedKey)
	ask("own password", "GET", base+"/trap/v1/tickets/t1", "", "Authorization", "Basic "+base64ed("me:"+echoedKey))
	ask("own query", "GET", base+"/trap/v1/tickets?q="+hex.EncodeToString([]byte(echoedKey)), "")
	ask("own path", "GET", base+"/trap/v1/tickets/"+strings.NewReplacer("/", "%2f", "+", "%2b").Replace(echoedKey), "")
	ask("own body", "POST", base+"/trap/v1/tickets", `{"title":"`+strings.ReplaceAll(echoedKey, "r", `\u0072`)+`"}`)
	for _, name := range []string{"own header", "own password", "own query", "own path", "own body"} {
		if _, refused := got["refused "+name]; !refused {
			t.Errorf("%s is not refused: %s", name, got[name])
		}
	}
	for _, at := range []string{"/metrics", "/", "/v1/runs", "/v1/runs/" + h.Run.ID, "/v1/runs/" + h.Run.ID + "/state", "/v1/gateway"} {
		r := requestOf(t, "GET", "http://"+h.Control()+at, "Bearer "+controlToken, nil)
		if reply, err := http.DefaultClient.Do(r); err == nil {
			said, _ := io.ReadAll(reply.Body)
			got["control "+at] = string(said)
			_ = reply.Body.Close()
		}
	}
	if _, err := h.control().End(t.Context(), h.Run.ID, nil); err != nil {
		t.Fatal(err)
	}
	h.close()
	all := everything(t, h.root, h.Run.ID)
	for name, text := range files(t, tapes) {
		all[name] = text
	}
	for name, text := range got {
		all["what the agent gets of "+name] = text
	}
	all["the log"] = log.text()
	isNoEcho(t, all)
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}

// isNoEcho asks that nothing of what was echoed is in what was written, in the
// form that it came in, or plain.
func isNoEcho(t *testing.T, all map[string]string) {
	t.Helper()
	for place, text := range all {
		folded := strings.ToLower(text)
		for name, echo := range echoes() {
			for _, form := range []string{echo[1], "51canarycanary"} {
				if at := strings.Index(folded, strings.ToLower(form)); at >= 0 {
					t.Errorf("%s is in %s: …%q…", name, place, folded[max(0, at-120):min(len(folded), at+60)])
					return
				}
			}
		}
	}
}

// A syncedLog is what a gateway logs, by whatever goroutine.
type syncedLog struct {
	mu  sync.Mutex
	all strings.Builder
}

func (l *syncedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *syncedLog) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}
