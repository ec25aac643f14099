package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A gateway is Parity, started as anybody would.
type gateway struct {
	*process
	data, control string // addresses
	service       string // stripe or shelf
}

// startGateway starts a binary of Parity with default settings, for Stripe or,
// where a contract is named, for its service.
func startGateway(ctx context.Context, dir, name, binary, contract string) (*gateway, error) {
	argv, service := []string{binary, "serve", "--ready-file", "ready"}, "stripe"
	if contract != "" {
		argv, service = append(argv, "--contract", contract), strings.TrimSuffix(filepath.Base(contract), ".yaml")
	}
	p, err := start(ctx, dir, name, argv...)
	if err != nil {
		return nil, err
	}
	g := &gateway{process: p, service: service}
	if err := g.ready(ctx); err != nil {
		p.stop()
		return nil, err
	}
	return g, nil
}

// ready waits until the gateway says that it is up, and where.
func (g *gateway) ready(ctx context.Context) error {
	return g.until(ctx, func() bool {
		ready, err := os.ReadFile(filepath.Join(g.dir, "ready"))
		if err != nil {
			return false
		}
		g.data, g.control = parseReady(string(ready))
		return g.data != "" && g.control != ""
	})
}

// parseReady reads the addresses out of what Parity says once it is up.
func parseReady(content string) (data, control string) {
	for line := range strings.Lines(content) {
		switch name, url, _ := strings.Cut(strings.TrimSpace(line), " "); name {
		case "data":
			data = strings.TrimPrefix(strings.TrimSpace(url), "http://")
		case "control":
			control = strings.TrimPrefix(strings.TrimSpace(url), "http://")
		}
	}
	return data, control
}

// A reply is what a peer is given to answer with.
type reply struct {
	Call   string
	Status int
	Header http.Header
	Body   []byte
}

// ask makes one call to a base URL and takes the whole reply.
func ask(ctx context.Context, base string, c call) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := request{call: c, url: base + c.path}.fresh(ctx)
	if err != nil {
		return reply{}, err
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err == nil && got.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: status %d: %.300s", c.method, c.path, got.StatusCode, body)
	}
	header := maps.Clone(got.Header)
	header.Del("Date") // a server sets these itself
	header.Del("Content-Length")
	return reply{Call: c.method + " " + c.path, Status: got.StatusCode, Header: header, Body: body}, err
}

func (g *gateway) ask(ctx context.Context, c call) (reply, error) {
	return ask(ctx, "http://"+g.data+"/"+g.service, c)
}

// made makes a record and gives its id.
func (g *gateway) made(ctx context.Context, c call) (string, error) {
	got, err := g.ask(ctx, c)
	if err != nil {
		return "", err
	}
	var record struct{ ID string }
	if err := json.Unmarshal(got.Body, &record); err != nil || record.ID == "" {
		return "", fmt.Errorf("%s: no id in %.300s", got.Call, got.Body)
	}
	return record.ID, nil
}

// fill makes n records.
func (g *gateway) fill(ctx context.Context, c call, n int) error {
	to := g.target()
	all := newCrowd(raw, to)
	defer all.close()
	got, err := g.ask(ctx, c)
	if err != nil {
		return err
	}
	sum := all.drive(ctx, to.request(c), got.Status, 10*time.Minute, n-1)
	if sum.failed > 0 || sum.calls < n-1 {
		return fmt.Errorf("%s %s: %d of %d calls, %d failed: %s", c.method, c.path, sum.calls, n-1, sum.failed, sum.first)
	}
	return nil
}

// target is the base URL of the service.
func (g *gateway) target() target { return target{addr: g.data, way: direct, prefix: "/" + g.service} }

// A heap is what the Go runtime of a gateway says of itself on its control port.
type heap struct{ inUse, bytes, objects float64 } // in use now, allocated ever

func (g *gateway) heap(ctx context.Context) (heap, error) {
	got, err := ask(ctx, "http://"+g.control, call{method: "GET", path: "/metrics"})
	if err != nil {
		return heap{}, err
	}
	return parseHeap(string(got.Body))
}

func parseHeap(metrics string) (h heap, err error) {
	wanted := map[string]*float64{
		"go_memstats_heap_alloc_bytes": &h.inUse, "go_memstats_alloc_bytes_total": &h.bytes, "go_memstats_mallocs_total": &h.objects,
	}
	for line := range strings.Lines(metrics) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if at := wanted[name]; at != nil {
			if *at, err = strconv.ParseFloat(value, 64); err != nil {
				return heap{}, err
			}
			delete(wanted, name)
		}
	}
	if len(wanted) > 0 {
		return heap{}, fmt.Errorf("%d figures of the heap are not among the metrics", len(wanted))
	}
	return h, nil
}
