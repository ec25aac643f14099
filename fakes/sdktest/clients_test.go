package sdktest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// client is a program that makes one GET, with no settings of its own.
type client struct {
	name string
	args []string // the address is added
	says string   // what it prints where it was answered; "": it prints what nobody reads
}

// clients are what agents are written in. Python's are the system's own: that
// is where Debian puts its libraries.
func clients() []client {
	const python = "/usr/bin/python3"
	return []client{
		{"Go net/http", []string{os.Args[0], "get"}, "200"},
		{"curl", []string{"curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer sk_test_1"}, "200"},
		{"git", []string{"git", "ls-remote"}, ""},
		{"Python urllib", []string{python, "clients/urllib_get.py"}, "200"},
		{"Python requests", []string{python, "clients/requests_get.py"}, "200"},
		{"Python httpx", []string{python, "clients/httpx_get.py"}, "200"},
		{"Python aiohttp", []string{python, "clients/aiohttp_get.py"}, "200"},
		{"Node fetch", []string{"node", "clients/fetch.mjs"}, "200"},
		{"Node https", []string{"node", "clients/https.mjs"}, "200"},
		{"Node undici", []string{"node", "clients/undici.mjs"}, "200"},
		{"Node axios", []string{"node", "clients/axios.mjs"}, "200"},
		{"Java HttpClient", []string{"java", "clients/Client.java"}, "200"},
		{"Java HttpURLConnection", []string{"java", "clients/Connection.java"}, "200"},
		{"Ruby Net::HTTP", []string{"ruby", "clients/net_http.rb"}, "200"},
	}
}

// plainGet is the Go client, in this test binary started anew.
func plainGet(address string) int {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return 1
	}
	request.Header.Set("Authorization", "Bearer sk_test_1")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer reply.Body.Close()
	fmt.Println(reply.StatusCode)
	return 0
}

// TestClientsAreCaptured runs each client under `parity run` and holds what
// came in against the table in the README.
func TestClientsAreCaptured(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	rows := map[string]string{}
	t.Run("clients", func(t *testing.T) {
		for _, c := range clients() {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				row := fmt.Sprintf("| %s | %s | %s |", c.name, c.way(t, "https"), c.way(t, "http"))
				mu.Lock()
				defer mu.Unlock()
				rows[c.name] = row
			})
		}
	})
	if t.Failed() {
		return
	}
	table := "| client | https | http |\n| --- | --- | --- |\n"
	for _, c := range clients() {
		table += rows[c.name] + "\n"
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), table) {
		t.Errorf("the README has another table than this one:\n%s", table)
	}
}

// way tells by which way a client's call came in.
func (c client) way(t *testing.T, scheme string) string {
	t.Helper()
	if _, err := exec.LookPath(c.args[0]); err != nil {
		t.Fatalf("%s is not installed: .ci/run names the package", c.args[0])
	}
	g := &gateway{root: t.TempDir(), stop: func() {}}
	address := scheme + "://api.stripe.com/v1/customers"
	run := start(t, g.at(), append(append([]string{parity, "run", "--"}, c.args...), address)...)
	var out, errs bytes.Buffer
	run.Stdout, run.Stderr = &out, &errs
	if err := run.Run(); err != nil && c.says != "" || strings.TrimSpace(out.String()) != c.says {
		t.Errorf("%v: %v\n%s%s", run.Args, err, out.String(), errs.String())
	}
	for line := range strings.Lines(string(g.ask(t, "trace", "-o", "json"))) {
		var event struct {
			Exchange *struct{ Way, Service string }
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		if event.Exchange != nil && event.Exchange.Service == "stripe" {
			return event.Exchange.Way
		}
	}
	t.Errorf("nothing that it did came in\n%s", errs.String())
	return "not captured"
}
