package kept

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/exchange"
	"parity/gateway/ingress"
	"parity/gateway/metrics"
	"parity/profiles"
	"parity/specs"
)

// Asking is a request that nobody sends, to be told what would become of it.
type Asking struct {
	Root    string // where runs are kept
	Call    string // stripe POST /v1/refunds, POST https://api.stripe.com/v1/refunds, or stripe.PostRefunds
	Body    []byte // JSON, or as it would be sent where Header has a Content-Type
	Header  []string
	Profile string // default: the run's own, else baseline
	Run     string // as the next call of this run; "": as the first call of a fresh one

	Identity string // who calls, by the name that the profile has; "": whoever did last, or its header
	Stage    int    // of the run; 0: its own
	Predicts bool   // what the call would do is told, too
}

// Told is what would become of a request.
type Told struct {
	Service    string            `json:"service"`
	Operation  string            `json:"operation,omitempty"`
	ID         string            `json:"operation_id,omitempty"`
	Path       map[string]string `json:"path,omitempty"`
	Host       string            `json:"host"`
	Policy     string            `json:"policy"`
	Permit     *trail.Policy     `json:"permit,omitempty"` // what class, stage, grant and gates make of it; nil: no policy is in force
	Effect     string            `json:"effect,omitempty"`
	Identity   string            `json:"identity,omitempty"`
	Run        string            `json:"run,omitempty"`
	Profile    string            `json:"profile"`
	Revision   string            `json:"revision"`
	Violations []trail.Violation `json:"violations,omitempty"`
	Attempt    int               `json:"attempt,omitempty"` // of its intent
	Refused    string            `json:"refused,omitempty"` // why no rule is asked
	Bare       bool              `json:"bare,omitempty"`    // the service refused it for having no body, so that it says nothing of calls that have one
	Rules      []Standing        `json:"rules"`
	Status     int               `json:"status,omitempty"` // of the reply; 0: there is none
	Reply      string            `json:"reply"`            // what the client would get
}

// Standing is where one rule stands to a request.
type Standing struct {
	Rule  string `json:"rule"`
	Fault string `json:"fault,omitempty"`
	Phase string `json:"phase,omitempty"`
	Fires bool   `json:"fires"`
	Met   bool   `json:"met"`             // its call is this one
	Index uint64 `json:"index,omitempty"` // as which intent it would be counted
	Per   string `json:"per,omitempty"`   // for whom
	Why   string `json:"why,omitempty"`   // it does not fire; or what it does
}

// nowhere keeps nothing: what is asked about does not happen.
type nowhere struct{}

func (nowhere) Append(uint64, []byte) error { return nil }

// Why says what would become of a request. Everything is decided as a gateway
// would, on a copy of the run that is kept nowhere: nothing changes.
func Why(ctx context.Context, a Asking) (*Told, error) {
	s, err := a.scratch(ctx)
	if err != nil {
		return nil, err
	}
	u, err := s.unsent(a)
	if err != nil {
		return nil, err
	}
	rev := s.live.Revision()
	o, err := s.line.Foretell(s.live, s.now, u)
	if err != nil {
		return nil, err
	}
	told := &Told{
		Run: s.name, Profile: rev.Profile.Name, Revision: rev.Profile.Revision, Host: u.Origin.Authority.Host, Rules: []Standing{},
	}
	if o.Answered { // by the contract, an order of calls, policy: no rule was asked
		told.Refused, _, _ = strings.Cut(o.Entry.Note, "\n")
		if told.Refused == "" {
			told.Refused = fmt.Sprintf("the request is refused with %d before any rule is asked", o.Reply.Status)
		}
	}
	told.found(o, rev, u.Origin.Authority.Port)
	told.Bare = len(a.Body) == 0 && !o.Answered && o.Entry.Effect != string(specs.Read) && o.Entry.Fidelity != trail.Injected && o.Reply.Status/100 == 4
	told.stand(o, rev.Profile)
	return told, nil
}

// scratch is a run that goes nowhere, and the instant of the call.
type scratch struct {
	line *exchange.Line
	live *exchange.Run
	name string // of the run that it is a copy of
	now  time.Time
	last map[string]string // who called each service last
	lost map[uint64]string // intents whose replies did not arrive, by event

	stage int // of the run; 0: none is in force
}

func (a Asking) scratch(ctx context.Context) (*scratch, error) {
	codec, err := trail.NewCodec()
	if err != nil {
		return nil, err
	}
	s := &scratch{last: map[string]string{}, lost: map[uint64]string{}, line: exchange.New(exchange.Options{
		Metrics: metrics.New(metrics.Options{Faults: faults.CatalogueNames(), Reasons: exchange.Reasons()}), Codec: codec,
		Wall: clock.System{}, Log: slog.New(slog.DiscardHandler), Lifetime: ctx,
	})}
	p, state, seed, err := a.origin(s)
	if err != nil {
		return nil, err
	}
	rev, err := s.line.Compile(p)
	if err != nil {
		return nil, err
	}
	if state.World, err = state.World.With(rev.Catalogue.Collections()...); err != nil {
		return nil, err
	}
	s.live = exchange.Apart(rev)
	s.live.Stage = cmp.Or(a.Stage, s.stage)
	s.live.Run = run.New(run.Options{
		ID: s.name, Seed: seed, State: state, Sink: nowhere{}, Codec: codec, Wall: clock.System{}, Fire: s.live.Fire(seed),
	})
	for of, intent := range s.lost {
		s.live.Lost(intent, of)
	}
	return s, nil
}

// origin gives the profile that the request would be under, and the state that
// it would meet.
func (a Asking) origin(s *scratch) (p *profiles.Profile, state run.State, seed chance.Seed, err error) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, state, 0, err
	}
	o := profiles.Options{Catalogue: catalogue}
	if a.Profile != "" || a.Run == "" {
		name := a.Profile
		if name == "" {
			name = "baseline"
		}
		if p, err = profiles.Load(name, o); err != nil {
			return nil, state, 0, &UsageError{err}
		}
	}
	if a.Run == "" {
		c, err := clock.New(p.Clock.WithStart(), clock.System{}.Now())
		if err != nil {
			return nil, state, 0, &UsageError{err}
		}
		number := DrawnSeed()
		if p.Seed != nil {
			number = *p.Seed
		}
		start := Started(p, c, number)
		state, err = NewWorlds().Origin(start, p)
		s.now, s.stage = start.At.Time(), start.Start.Stage
		return p, state, chance.Seed(number), err
	}
	k, err := Read(a.Root, a.Run)
	if err == nil && p == nil {
		err = k.Unread
	}
	if err != nil {
		return nil, state, 0, err
	}
	if p == nil {
		p = k.Profile
	}
	state, err = k.At(0)
	s.name, s.stage = k.ID, k.Stage()
	for i := range k.Events {
		e := &k.Events[i]
		s.now = e.At.Time()
		if e.Exchange != nil && e.Identity != "" {
			s.last[e.Exchange.Service] = e.Identity
		}
		if settled, ok := k.Settlements[e.Seq]; ok && settled.ClientGone && e.Exchange != nil && e.Exchange.Whole {
			s.lost[e.Seq] = e.Exchange.Intent.ID
		}
	}
	return p, state, k.Seed(), err
}

// unsent makes the request as the gateway would have it, once it knew whose run
// it is.
func (s *scratch) unsent(a Asking) (*exchange.Unsent, error) {
	rev := s.live.Revision()
	service, method, target, err := a.line(rev)
	if err != nil {
		return nil, &UsageError{err}
	}
	host := hostOf(service)
	if target.Host != "" {
		host = target.Hostname()
	}
	origin := ingress.Origin{Way: ingress.SNI, Authority: ingress.Authority{Host: host, Port: 443}, Secure: true}
	r, err := http.NewRequestWithContext(ingress.NewContext(context.Background(), origin), method, "https://"+host+target.RequestURI(), http.NoBody)
	if err != nil {
		return nil, &UsageError{err}
	}
	for _, h := range a.Header {
		name, value, ok := strings.Cut(h, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, &UsageError{fmt.Errorf("--header %q: write NAME: VALUE", h)}
		}
		r.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	u := &exchange.Unsent{Request: r, Origin: origin, Body: a.Body, Service: service, Predicts: a.Predicts}
	if service.Name == "" {
		return u, nil
	}
	if a.Identity != "" {
		if u.Identity, err = s.named(service, a.Identity); err != nil {
			return nil, &UsageError{err}
		}
		u.Preauthenticated = true
	} else if !presents(r.Header) { // who calls is not what is asked
		u.Preauthenticated, u.Identity = true, s.last[service.Name]
	}
	if len(a.Body) > 0 && r.Header.Get("Content-Type") == "" {
		if err := u.Encode(); err != nil {
			return nil, &UsageError{err}
		}
	}
	return u, nil
}

// named is the identity that a name of the profile stands for: as it called last,
// where that was it.
func (s *scratch) named(service fakes.Service, name string) (string, error) {
	p := s.live.Revision().Profile
	names := make([]string, len(p.Identities))
	for i := range p.Identities {
		names[i] = p.Identities[i].Name
	}
	if !slices.Contains(names, name) {
		return "", fmt.Errorf("--identity %q: profile %s has the identities %s", name, p.Name, cmp.Or(strings.Join(names, ", "), "of nobody"))
	}
	if last := s.last[service.Name]; strings.HasSuffix(last, "-"+name) {
		return last, nil
	}
	credential := ""
	if i, ok := service.Fake.(fakes.Introducer); ok {
		words := strings.Fields(i.Introduction())
		credential = words[len(words)-1]
	}
	return fakes.IdentityPrefix(service.Name, service.Fake, credential) + name, nil
}

// presents tells whether a request shows a credential.
func presents(h http.Header) bool {
	for _, name := range []string{"Authorization", "Cookie", "X-Api-Key", "Api-Key"} {
		if h.Get(name) != "" {
			return true
		}
	}
	return false
}

// line reads the call. A host that no service has gives no service.
func (a Asking) line(rev *exchange.Revision) (s fakes.Service, method string, target *url.URL, err error) {
	words := strings.Fields(a.Call)
	const form = "write it as stripe POST /v1/refunds, POST https://api.stripe.com/v1/refunds, or stripe.PostRefunds"
	switch len(words) {
	case 1:
		name, id, _ := strings.Cut(words[0], ".")
		if s, err = bound(rev, name); err != nil {
			return s, "", nil, err
		}
		for _, op := range s.Contract.Operations {
			if op.ID == id {
				target, err = url.Parse(op.Path)
				return s, op.Method, target, err
			}
		}
		return s, "", nil, fmt.Errorf("%s has no operation %q; %s", name, id, form)
	case 2:
		target, err = url.Parse(words[1])
		if err == nil && target.Host == "" {
			err = fmt.Errorf("%q names no service; %s", a.Call, form)
		}
		if err != nil {
			return s, "", nil, err
		}
		s, _ = rev.At(target.Hostname())
		return s, words[0], target, nil
	case 3:
		if s, err = bound(rev, words[0]); err != nil {
			return s, "", nil, err
		}
		target, err = url.Parse(words[2])
		if err == nil && (target.Host != "" || !strings.HasPrefix(target.Path, "/")) {
			err = fmt.Errorf("%q: a path begins with /; %s", words[2], form)
		}
		return s, words[1], target, err
	}
	return s, "", nil, fmt.Errorf("%q is no call; %s", a.Call, form)
}

func bound(rev *exchange.Revision, name string) (fakes.Service, error) {
	s, ok := rev.Catalogue.Service(name)
	if !ok || !rev.Bound[name] {
		return s, fmt.Errorf("profile %s binds no service %q; it binds %s", rev.Profile.Name, name, strings.Join(rev.Names(), ", "))
	}
	return s, nil
}

func hostOf(s fakes.Service) string {
	for _, h := range s.Hosts {
		if !strings.Contains(h, "*") {
			return h
		}
	}
	return s.Name + ".localhost"
}
