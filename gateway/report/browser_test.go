package report

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// browser is a headless Chromium with one page, driven through pipes by the
// DevTools protocol (https://chromedevtools.github.io/devtools-protocol/):
// documents of JSON that end with a zero byte.
type browser struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	session string
	last    int
	errors  []string // what the page's console complained of
}

// startBrowser opens a page, or skips the test where there is no Chromium.
func startBrowser(t *testing.T) *browser {
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
	command := exec.Command(name, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
		"--window-size=1280,900", "--hide-scrollbars", "--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	command.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4, as it expects them
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &browser{t: t, in: in, out: bufio.NewReader(out)}
	bound := time.AfterFunc(2*time.Minute, func() { _ = command.Process.Kill() })
	t.Cleanup(func() {
		b.session = ""
		_, _ = b.send("Browser.close", nil)
		in.Close()
		_ = command.Wait() // it may have been killed
		out.Close()
		bound.Stop()
		_ = os.RemoveAll(profile)
	})
	var made struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil, nil)
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

func (b *browser) call(method string, params, result any) {
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
func (b *browser) send(method string, params any) (json.RawMessage, error) {
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

func (b *browser) note(m *message) {
	switch {
	case m.Method == "Runtime.exceptionThrown" && m.Params.ExceptionDetails != nil:
		b.errors = append(b.errors, m.Params.ExceptionDetails.Text+" "+m.Params.ExceptionDetails.Exception.Description)
	case m.Method == "Log.entryAdded" && (m.Params.Entry.Level == "error" || m.Params.Entry.Level == "warning"):
		b.errors = append(b.errors, m.Params.Entry.Text)
	case m.Method == "Runtime.consoleAPICalled" && (m.Params.Type == "error" || m.Params.Type == "warning" || m.Params.Type == "assert"):
		b.errors = append(b.errors, fmt.Sprint(m.Params.Args))
	}
}

func (b *browser) open(name string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": "file://" + name}, nil)
}

// eval gives the value of an expression, which may be a promise.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, got.ExceptionDetails.Exception.Description)
	}
	return got.Result.Value
}

// until waits for an expression to be true.
func (b *browser) until(expression string) {
	b.t.Helper()
	done := b.eval(`new Promise(done => { let n = 0; const look = () => { try { if (` + expression + `) return done(true) } catch {} ; ++n > 600 ? done(false) : setTimeout(look, 25) }; look() })`)
	if done != true {
		b.t.Fatalf("never: %s", expression)
	}
}

// press presses keys, by their names; one of one letter types it.
func (b *browser) press(keys ...string) {
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
		b.call("Input.dispatchKeyEvent", down, nil)
		b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
	}
}

// prefer has the page shown as by somebody who prefers light, or dark.
func (b *browser) prefer(scheme string) {
	b.t.Helper()
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

func (b *browser) size(width, height int) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// shoot keeps a picture of what is seen, where -shots says so.
func (b *browser) shoot(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	var got struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &got)
	data, err := base64.StdEncoding.DecodeString(got.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), data, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
