// Package browser is a headless Chromium for tests of pages: what a page does can
// be seen nowhere else.
//
//	test ──Eval, Press, Until──▶ Browser ══pipes══▶ Chromium ──▶ a file, or a port
//	     ◀──Errors, Shoot─────           ◀═════════
//
// It is driven by the DevTools protocol
// (https://chromedevtools.github.io/devtools-protocol/): documents of JSON that end
// with a zero byte, over two pipes. Tests alone import it; one that asks for it
// where no Chromium is installed is skipped.
package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Browser is a headless Chromium with one page.
type Browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string
	last    int
	// Errors are what the page's console complained of.
	Errors []string
}

// longest is how long a browser lives: a page that hangs is not to hang its test.
const longest = 2 * time.Minute

// Start opens a page, or skips the test where there is no Chromium. The browser
// ends with the test, or after two minutes.
func Start(t *testing.T) *Browser {
	t.Helper()
	name := ""
	for _, known := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(known); err == nil && name == "" {
			name = found
		}
	}
	if name == "" {
		t.Skip("no Chromium is installed: what a browser makes of the page is not tested")
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "parity-chromium") // TempDir fails a test whose browser writes a moment longer
	if err != nil {
		t.Fatal(err)
	}
	ctx, bound := context.WithTimeout(context.WithoutCancel(t.Context()), longest)
	command := exec.CommandContext(ctx, name, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
		"--window-size=1280,900", "--no-proxy-server", "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	command.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4, as it expects them
	if err := command.Start(); err != nil {
		bound()
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &Browser{t: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		b.session = ""
		_, _ = b.send("Browser.close", nil)
		in.Close()
		_ = command.Wait() // it may have been killed
		out.Close()
		bound()
		_ = os.RemoveAll(profile)
	})
	var made struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.Call(domain+".enable", nil, nil)
	}
	return b
}

type message struct {
	ID     int
	Method string
	Params struct {
		Type  string
		Entry struct{ Level, Text string }
		Args  []struct{ Value any }

		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	Result json.RawMessage
	Error  *struct{ Message string }
}

// Call has the browser do something, by a method of the protocol, and decodes what
// it answers into result, where that is not nil.
func (b *Browser) Call(method string, params, result any) {
	b.t.Helper()
	got, err := b.send(method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(got, result)
	}
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// send makes a call and waits for its answer; what the page says meanwhile is
// noted.
func (b *Browser) send(method string, params any) (json.RawMessage, error) {
	b.last++
	call := map[string]any{"id": b.last, "method": method}
	if params != nil {
		call["params"] = params
	}
	if b.session != "" {
		call["sessionId"] = b.session
	}
	data, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	if _, err := b.in.Write(append(data, 0)); err != nil {
		return nil, err
	}
	for {
		data, err := b.out.ReadBytes(0)
		if err != nil {
			return nil, err
		}
		var m message
		if err := json.Unmarshal(bytes.TrimRight(data, "\x00"), &m); err != nil {
			return nil, err
		}
		b.note(&m)
		switch {
		case m.ID != b.last:
		case m.Error != nil:
			return nil, errors.New(m.Error.Message)
		default:
			return m.Result, nil
		}
	}
}

func (b *Browser) note(m *message) {
	switch {
	case m.Method == "Runtime.exceptionThrown" && m.Params.ExceptionDetails != nil:
		b.Errors = append(b.Errors, m.Params.ExceptionDetails.Text+" "+m.Params.ExceptionDetails.Exception.Description)
	case m.Method == "Log.entryAdded" && (m.Params.Entry.Level == "error" || m.Params.Entry.Level == "warning"):
		b.Errors = append(b.Errors, m.Params.Entry.Text)
	case m.Method == "Runtime.consoleAPICalled" && (m.Params.Type == "error" || m.Params.Type == "warning" || m.Params.Type == "assert"):
		b.Errors = append(b.Errors, fmt.Sprint(m.Params.Args))
	}
}

// Open goes to a URL.
func (b *Browser) Open(url string) {
	b.t.Helper()
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
}

// Eval gives the value of an expression, which may be a promise.
func (b *Browser) Eval(expression string) any {
	b.t.Helper()
	value, err := b.eval(expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

func (b *Browser) eval(expression string) (any, error) {
	data, err := b.send("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true})
	if err != nil {
		return nil, err
	}
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	if err := json.Unmarshal(data, &got); err != nil {
		return nil, err
	}
	if got.ExceptionDetails != nil {
		return nil, errors.New(got.ExceptionDetails.Exception.Description)
	}
	return got.Result.Value, nil
}

// left are what the protocol says of an expression whose page went while it was
// looked at.
var left = []string{"Inspected target navigated or closed", "Execution context was destroyed", "Cannot find default execution context"}

// Until waits for an expression to be true, in whatever page is there: one that goes
// meanwhile, as by a reload, leaves the rest of the wait to the next.
func (b *Browser) Until(expression string) {
	b.t.Helper()
	for range 1000 { // one page at a time: more than a test goes through, and none that goes on for ever
		done, err := b.eval(`new Promise(done => { const end = performance.now() + 15000; const look = () => { try { if (` + expression + `) return done(true) } catch {} ; performance.now() > end ? done(false) : setTimeout(look, 25) }; look() })`)
		switch {
		case err == nil && done == true:
			return
		case err == nil:
			b.t.Fatalf("never: %s", expression)
		case !slices.Contains(left, err.Error()):
			b.t.Fatalf("%s: %v", expression, err)
		}
	}
	b.t.Fatalf("never: %s", expression)
}

// Press presses keys, by their names; one of one letter types it.
func (b *Browser) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		down := map[string]any{"type": "keyDown", "key": key}
		if code, ok := map[string]int{"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "End": 35, "Home": 36}[key]; ok {
			down["windowsVirtualKeyCode"], down["code"] = code, key
			if key == "Enter" {
				down["text"] = "\r"
			}
		} else {
			down["text"] = key
		}
		b.Call("Input.dispatchKeyEvent", down, nil)
		b.Call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
	}
}

// Prefer has the page shown as by somebody who prefers light, or dark.
func (b *Browser) Prefer(scheme string) {
	b.t.Helper()
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Size makes the page so many pixels wide and high.
func (b *Browser) Size(width, height int) {
	b.t.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Shoot keeps a picture of what is seen as NAME.png in a folder; "": it does not.
func (b *Browser) Shoot(folder, name string) {
	b.t.Helper()
	if folder == "" {
		return
	}
	var got struct{ Data string }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &got)
	data, err := base64.StdEncoding.DecodeString(got.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), data, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// Type writes a text where the page's cursor is.
func (b *Browser) Type(text string) {
	b.t.Helper()
	b.Call("Input.insertText", map[string]any{"text": text}, nil)
}
