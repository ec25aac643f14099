package languageserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"
)

// patience bounds each wait for the server.
const patience = 30 * time.Second

// editor is the client's side of one session with a language server.
type editor struct {
	t       *testing.T
	in      io.Writer
	mu      sync.Mutex // of in
	asked   int
	replies chan message
	told    map[string]chan []diagnostic // by document
	toldMu  sync.Mutex
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type diagnostic struct {
	Range   struct{ Start position } `json:"range"`
	Message string                   `json:"message"`
}

// start runs the server that editors run.
func start(t *testing.T) *editor {
	t.Helper()
	const server = "node_modules/yaml-language-server/bin/yaml-language-server"
	if _, err := os.Stat(server); err != nil {
		t.Skip("the language server is not installed: make editor")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "node", server, "--stdio")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := &editor{t: t, in: in, replies: make(chan message, 16), told: map[string]chan []diagnostic{}}
	read := make(chan struct{})
	go func() {
		defer close(read)
		e.listen(bufio.NewReader(out))
	}()
	t.Cleanup(func() {
		cancel()
		<-read
		_ = cmd.Wait() // it was killed
	})
	return e
}

// listen takes what the server sends, until it is gone.
func (e *editor) listen(r *bufio.Reader) {
	for {
		head, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(head.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			return
		}
		switch {
		case m.Method == "textDocument/publishDiagnostics":
			var p struct {
				URI         string
				Diagnostics []diagnostic
			}
			if json.Unmarshal(m.Params, &p) == nil {
				e.diagnosticsOf(p.URI) <- p.Diagnostics
			}
		case m.Method != "" && m.ID != nil: // it asks something of the editor, which has nothing to say
			e.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": nil})
		case m.Method == "":
			e.replies <- m
		}
	}
}

func (e *editor) diagnosticsOf(uri string) chan []diagnostic {
	e.toldMu.Lock()
	defer e.toldMu.Unlock()
	if e.told[uri] == nil {
		e.told[uri] = make(chan []diagnostic, 16)
	}
	return e.told[uri]
}

func (e *editor) send(m map[string]any) {
	body, err := json.Marshal(m)
	if err != nil {
		panic(err) // it was made here
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
}

func (e *editor) notify(method string, params any) {
	e.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// ask waits for the reply to one request.
func (e *editor) ask(method string, params, into any) {
	e.t.Helper()
	e.asked++
	e.send(map[string]any{"jsonrpc": "2.0", "id": e.asked, "method": method, "params": params})
	select {
	case m := <-e.replies:
		if m.Error != nil || string(m.ID) != strconv.Itoa(e.asked) {
			e.t.Fatalf("%s: %s %s", method, m.ID, m.Error)
		}
		if err := json.Unmarshal(m.Result, into); err != nil {
			e.t.Fatalf("%s: %s: %v", method, m.Result, err)
		}
	case <-time.After(patience):
		e.t.Fatalf("%s: no reply", method)
	}
}

// hello opens the session.
func (e *editor) hello() {
	var capabilities any
	e.ask("initialize", map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{
		"textDocument": map[string]any{
			"hover":      map[string]any{"contentFormat": []string{"markdown"}},
			"completion": map[string]any{"completionItem": map[string]any{"documentationFormat": []string{"markdown"}, "snippetSupport": false}},
		},
	}}, &capabilities)
	e.notify("initialized", map[string]any{})
	e.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"yaml": map[string]any{
		"validate": true, "hover": true, "completion": true, "schemaStore": map[string]any{"enable": false},
	}}})
}

// open shows a document, and gives what the server finds wrong with it.
func (e *editor) open(uri, text string) []diagnostic {
	e.t.Helper()
	told := e.diagnosticsOf(uri)
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
	select {
	case found := <-told:
		return found
	case <-time.After(patience):
		e.t.Fatalf("%s: nothing is said of it", uri)
	}
	return nil
}
