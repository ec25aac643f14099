package mirrors

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parity/cmd/internal/recordings"
	"parity/fakes"
	"parity/fakes/recording"
	"parity/gateway/live"
	"parity/gateway/mirror"
	"parity/profiles"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/file"
)

// mostSample bounds a file that has one reply.
const mostSample = 64 << 20

// A Real is how a real service is reached.
type Real struct {
	Hosts       []string // host or host:port; none: those of the profile or of the contract
	Env, File   string   // where the credential is; neither: where the profile says
	Roots       string   // certificates besides the system's
	Collections []string // that are read; none: all of which there is a list
	Lists       []string // addresses of lists, instead of those
	Calls       int      // that go out at most
	Headers     []string // that the contract has, as Name: value
}

// recorded takes what recordings and samples have.
func (i Import) recorded(t *taken, service fakes.Service, s mirror.Sampling) error {
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		return err
	}
	r := recordings.New(i.Getenv("PARITY_DIR"), catalogue)
	var all []recording.Exchange
	var newest time.Time
	for _, name := range i.From {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return fmt.Errorf("--from %w: a HAR file, a conversation, or a folder of samples", err)
		case info.IsDir():
			err = samples(name, service, &all, r, &newest)
		default:
			if err = r.Read(name); info.ModTime().After(newest) {
				newest = info.ModTime()
			}
		}
		if err != nil {
			return err
		}
		t.from = strings.TrimPrefix(t.from+", "+kindOf(name, info)+" "+filepath.Base(name), ", ")
	}
	for _, one := range r.All {
		for _, e := range one.Exchanges {
			if e.Service.Name == service.Name {
				e.Request.URL = addressOf(e.Request.URL, service)
				all = append(all, e.Exchange)
			}
		}
	}
	t.others = r.Others
	t.take(all, service, s)
	if t.at.IsZero() {
		t.at = newest
	}
	t.host = hostOf(service)
	if len(t.all) > 0 {
		if u, err := url.Parse(t.all[0].Request.URL); err == nil {
			t.host = u.Host
		}
	}
	return nil
}

func kindOf(name string, info fs.FileInfo) string {
	switch {
	case info.IsDir():
		return "samples"
	case strings.EqualFold(filepath.Ext(name), ".har"):
		return "har"
	}
	return "recording"
}

// hostOf is a host that a service answers at.
func hostOf(service fakes.Service) string {
	for _, host := range service.Hosts {
		if !strings.HasPrefix(host, "*") {
			return host
		}
	}
	return service.Name + ".example"
}

// addressOf is an address at a host of the service: what went through a gateway was
// at the gateway's.
func addressOf(address string, service fakes.Service) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	host := u.Hostname()
	for _, own := range service.Hosts {
		if own == host || strings.HasPrefix(own, "*") && strings.HasSuffix(host, own[1:]) {
			return address
		}
	}
	u.Host = hostOf(service)
	return u.String()
}

func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// samples reads a folder: a reply of the service in each file, whose path in the
// folder is that of the address, as in v1/customers/cus_1.json. Recordings in it are
// read as such.
func samples(folder string, service fakes.Service, all *[]recording.Exchange, r *recordings.Recordings, newest *time.Time) error {
	read := 0
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".json", ".har"}, strings.ToLower(filepath.Ext(name))) {
			return err
		}
		read++
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.ModTime().After(*newest) {
			*newest = info.ModTime()
		}
		content, err := file.Read(name, mostSample)
		if err != nil {
			return err
		}
		said, wrong := body.DecodeJSON(content)
		if object, _ := said.(map[string]any); wrong != nil || isRecording(object) {
			return r.Read(name)
		}
		at, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		*all = append(*all, sample(filepath.ToSlash(at), content, service))
		return nil
	})
	if err == nil && read == 0 {
		err = fmt.Errorf("%s has no sample in it: no .json file, such as v1/customers.json for the reply to GET /v1/customers", folder)
	}
	return err
}

func isRecording(object map[string]any) bool {
	_, log := object["log"].(map[string]any)
	_, exchanges := object["exchanges"].([]any)
	return log || exchanges
}

// sample is the exchange that a file has the reply of. Its path may be without what
// all paths of the service begin with.
func sample(at string, content []byte, service fakes.Service) recording.Exchange {
	at = "/" + strings.TrimSuffix(strings.TrimSuffix(at, filepath.Ext(at)), "/index")
	path, query, _ := strings.Cut(at, "?")
	call := &specs.Call{Method: http.MethodGet, Path: (&url.URL{Path: path}).EscapedPath(), Query: query}
	target := "https://" + hostOf(service) + service.Contract.Whole(call)
	if query != "" {
		target += "?" + query
	}
	return recording.Exchange{
		Request:  recording.Request{Method: http.MethodGet, URL: target},
		Response: recording.Response{Status: http.StatusOK, Header: map[string]string{"Content-Type": "application/json"}, Body: string(content)},
	}
}

func request(e recording.Exchange) live.Request {
	r := live.Request{Method: e.Request.Method, Header: http.Header{}, Body: []byte(e.Request.Text())}
	if u, err := url.Parse(e.Request.URL); err == nil {
		r.Host, r.Path, r.Query = u.Host, u.EscapedPath(), u.RawQuery
	}
	for name, value := range e.Request.Header {
		r.Header.Set(name, value)
	}
	return r
}

// upstream takes what the service itself shows.
func (i Import) upstream(ctx context.Context, t *taken, service fakes.Service, u *profiles.Upstream, s mirror.Sampling) error {
	to, err := i.reached(service, u)
	if err != nil {
		return err
	}
	dialer, err := live.New(live.Options{Proxy: live.ProxyFromEnvironment(i.Getenv), Wall: i.Wall})
	if err != nil {
		return err
	}
	header, err := i.header()
	if err != nil {
		return err
	}
	out := live.NewReads(dialer, i.Wall, to, header)
	defer out.Done()
	walk := mirror.Walk{From: reads{out}, Host: to.At(""), Contract: service.Contract, Collections: i.Collections, Lists: i.Lists, Sampling: s, Calls: i.Calls, Pause: func(ctx context.Context, d time.Duration) error {
		over, stop := i.Wall.After(d)
		defer stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-over:
			return nil
		}
	}}
	t.from, t.host, t.hide, t.at = "upstream "+to.At(""), to.At(""), to.Key.Hide, i.Wall.Now()
	t.all, t.left, err = walk.Read(ctx)
	t.calls = out.Sent()
	if err != nil && !i.Partial {
		return fmt.Errorf("after %d calls: %w; nothing is written: --partial writes what there is", t.calls, err)
	}
	if err != nil {
		t.partial = to.Key.Hide(err.Error())
	}
	return nil
}

// header is what goes with each call.
func (i Import) header() (http.Header, error) {
	header := http.Header{"Accept": {"application/json"}, "User-Agent": {"parity-mirror"}}
	for _, one := range i.Headers {
		name, value, ok := strings.Cut(one, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("--header %s: say it as 'Notion-Version: 2022-06-28'", name)
		}
		header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return header, nil
}

// reads is an upstream as a walk knows it.
type reads struct{ out *live.Reads }

// Read reads an address.
func (r reads) Read(ctx context.Context, path, query string) (mirror.Reply, error) {
	reply, seen, trouble := r.out.Get(ctx, path, query)
	switch {
	case trouble != nil && trouble.Code == live.CodeRefused:
		return mirror.Reply{}, fmt.Errorf("GET %s: %w", path, trouble)
	case trouble != nil:
		return mirror.Reply{}, trouble
	}
	return mirror.Reply{Status: reply.Status, Header: reply.Header, Body: reply.Body, Date: seen.Date}, nil
}

// How long a reply may take, and how large it may be, where no profile says so.
const (
	replyTime = 30 * time.Second
	replySize = 20 << 20
)

// reached is the service as it is reached: what the command says before what the
// profile says.
func (i Import) reached(service fakes.Service, u *profiles.Upstream) (*live.Service, error) {
	to := live.About(service.Name, service.Contract)
	to.Timeout, to.MaxReply = replyTime, replySize
	env, from, roots := i.Env, i.File, i.Roots
	if u != nil {
		to.Hosts, to.Listed, to.Timeout, to.MaxReply = u.Hosts, u.Listed, u.Timeout, u.MaxReply
		if env == "" && from == "" {
			env, from = u.Env, u.File
		}
		if roots == "" {
			roots = u.Roots
		}
	}
	switch {
	case len(i.Hosts) > 0:
		to.Hosts, to.Listed = lower(i.Hosts), true
	case len(to.Hosts) == 0:
		to.Hosts = slices.DeleteFunc(slices.Clone(service.Hosts), func(host string) bool { return strings.HasPrefix(host, "*") })
	}
	var err error
	switch {
	case len(to.Hosts) == 0:
		return nil, errors.New("nobody says at which host the service is: --host HOST, or a profile's upstream")
	case env != "" && from != "":
		return nil, errors.New("say where the credential is once: --credential-env or --credential-file")
	case from != "":
		to.Key, err = live.FromFile(from)
	case env != "":
		to.Key, err = live.FromVariable(env, i.Getenv)
	case asksWho(service.Contract):
		return nil, fmt.Errorf("%s asks who calls: say where a credential is that may read, --credential-env NAME or --credential-file FILE, or name a profile with services.%s.upstream", service.Name, service.Name)
	}
	if err == nil && u != nil && to.Key.Of(u.Account) != nil {
		err = fmt.Errorf("it %w: account: %s", to.Key.Of(u.Account), u.Account)
	}
	if err != nil {
		return nil, fmt.Errorf("credential: %w", err)
	}
	to.Roots, err = live.Roots(roots)
	return to, err
}

func asksWho(c *specs.Contract) bool {
	return slices.ContainsFunc(c.Operations, func(op *specs.Operation) bool { return len(op.Ways()) > 0 })
}

func lower(all []string) []string {
	out := make([]string, len(all))
	for n, one := range all {
		out[n] = strings.ToLower(one)
	}
	return out
}

// why says what became of all that there was, where nothing is left.
func (t *taken) why() string {
	var parts []string
	for _, why := range slices.Sorted(maps.Keys(t.left)) {
		parts = append(parts, fmt.Sprintf("%s: %d", why, t.left[why]))
	}
	if len(t.others) > 0 {
		parts = append(parts, "others are of "+strings.Join(slices.Sorted(maps.Keys(t.others)), ", ")+": --host names one as the service's")
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, "; ")
}
