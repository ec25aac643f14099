package profiles

import (
	"cmp"
	"maps"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/faults"
	"parity/profiles/policy"
	"parity/specs"
)

// An Upstream is the real service behind one that a profile plays, and how it is
// reached. It names where the credential is, and never has it.
type Upstream struct {
	Service  string
	Env      string   // the variable, of the gateway's own environment, that holds the credential
	File     string   // or the file, which nobody else may read
	Listed   bool     // the profile names the hosts itself
	Hosts    []string // host or host:port, the first of which calls go to that were made for none of them
	Timeout  time.Duration
	MaxReply int64  // bytes of a reply, decoded
	Keep     string // what is kept of replies: KeepRedacted, KeepNone or KeepAll
	Account  string // AccountTest or AccountLive; "": the profile does not say
	Roots    string // a file of certificates besides the system's; "": none
	Record   string // the folder that what was read goes to; "": none
}

// What is kept of what a real service answered.
const (
	KeepRedacted = "redacted" // people's data and secrets replaced by digests
	KeepNone     = "none"     // the shapes of values alone
	KeepAll      = "all"
)

// Whose account a credential is of.
const (
	AccountTest = "test"
	AccountLive = "live"
)

// Bounds on what is waited for, and their defaults.
const (
	upstreamTimeout = 20 * time.Second
	upstreamReply   = 10 << 20
	mostTimeout     = 5 * time.Minute
	mostReply       = 100 << 20
)

func modeKeys() []key {
	return []key{
		{
			name: "mode", kind: anything, example: "live-read", otherwise: string(policy.Fake),
			doc: "Where calls go: " + strings.Join(modeWords(), ", ") + "; one word, or one by operation, where * stands for any run of characters and the pattern that says most counts.",
		},
		{name: "upstream", kind: object, doc: "The real service, where a mode reaches it.", keys: []key{
			{name: "credential", kind: object, unit: true, example: "{env: GITHUB_READ_TOKEN}", doc: "The real credential, which the agent never has: it is put in on the way out, where the contract says, and taken out of what comes back.", keys: []key{
				{name: "env", kind: text, example: "GITHUB_READ_TOKEN", doc: "The variable, of the gateway's own environment, that holds it."},
				{name: "file", kind: text, example: "/run/secrets/stripe", doc: "The file that holds it, which nobody but its owner may read (0600)."},
			}},
			{name: "hosts", kind: list, some: true, of: &key{kind: text, example: "api.github.com"}, example: "[api.github.com]", otherwise: "those of the contract", doc: "Where calls go, and nowhere else: host, or host:port. Always over TLS."},
			{name: "timeout", kind: span, example: "20s", otherwise: "20s", doc: "How long a reply may take, on the real clock."},
			{name: "max_reply", kind: text, example: "10MB", otherwise: "10MB", doc: "How large a reply may be, decoded."},
			{name: "keep", kind: choice, choices: []string{KeepRedacted, KeepNone, KeepAll}, example: KeepNone, otherwise: KeepRedacted, doc: "What is kept of replies: redacted replaces what is of people and what is secret by digests, which are equal for equal values; none keeps the shapes of values; all wants account: test."},
			{name: "account", kind: choice, choices: []string{AccountTest, AccountLive}, example: AccountTest, doc: "Whose account the credential is of. One that looks otherwise is refused."},
			{name: "roots", kind: text, example: "certs/internal.pem", doc: "Certificates that are trusted besides the system's, in PEM: a path from this file."},
		}},
		{name: "record", kind: text, example: "recordings/stripe", doc: "The folder, from this file, that what the real service answered goes to, as a conversation for fidelity and fixtures: beside any mode that reads it."},
	}
}

func modeWords() []string {
	var all []string
	for _, m := range policy.Modes() {
		all = append(all, string(m))
	}
	return all
}

// Mode is where the calls of an operation go.
func (p *Profile) Mode(op *specs.Operation) policy.Mode { return cmp.Or(p.modes[op], policy.Fake) }

// Real are the services of which something may leave, in order.
func (p *Profile) Real() []string { return slices.Sorted(maps.Keys(p.Upstreams)) }

// From is a path that is written from the profile's file.
func (p *Profile) From(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.folder, path)
}

// modes reads where calls go.
func (b *binder) modes(p *Profile) {
	p.modes, p.Upstreams = map[*specs.Operation]policy.Mode{}, map[string]*Upstream{}
	p.folder = b.o.Dir
	for _, f := range b.tree.get("services").all() {
		if !f.item.ok() || b.failed[f.name] {
			continue
		}
		b.modesOf(f, p.modes)
		reaches := slices.ContainsFunc(b.opsOf(f.name), func(op *specs.Operation) bool { return p.modes[op].Reaches() })
		if u := b.upstream(f, reaches); u != nil && reaches {
			p.Upstreams[f.name] = u
		}
	}
	b.unreadReal(p.Upstreams)
}

// modesOf reads the mode of each operation of a service: of two patterns the one
// that says more counts.
func (b *binder) modesOf(f field, modes map[*specs.Operation]policy.Mode) {
	it := f.item.get("mode")
	switch {
	case !it.ok():
		return
	case it.isList():
		b.wrong(it.place, "such as mode: live-read, or a map by operation", "services.%s.mode is one word, or one by operation", f.name)
		return
	case !it.isMap():
		if m, ok := b.mode(f.name, it); ok {
			for _, op := range b.opsOf(f.name) {
				modes[op] = m
			}
		}
		return
	}
	fields := slices.Clone(it.fields)
	slices.SortStableFunc(fields, func(x, y field) int { return cmp.Compare(says(x.name), says(y.name)) })
	for _, one := range fields {
		m, ok := b.mode(f.name, one.item)
		named := one
		if one.name == "*" {
			named.name = f.name + " *"
		}
		for _, op := range b.operationsOf(f.name, named, "modes") {
			if ok {
				modes[op] = m
			}
		}
	}
}

// says is how much a pattern says: one without a wildcard most.
func says(pattern string) int {
	if !strings.Contains(pattern, "*") {
		return len(pattern) + maxCompared
	}
	return len(pattern)
}

func (b *binder) mode(service string, it *item) (policy.Mode, bool) {
	if !it.ok() {
		return "", false
	}
	m := policy.Mode(it.source)
	switch stage := b.tree.get("policy").get("stage"); {
	case !m.Known():
		b.wrong(it.place, didYouMean(it.source, modeWords()), "services.%s: %s is no mode", service, shorten(it.source))
		return "", false
	case m == policy.Live && stage == nil:
		b.wrong(it.place, "such as policy: {stage: 3}", "services.%s: mode live wants policy.stage, which says how far the agent has come: %d at least", service, policy.LeastLiveStage)
		return "", false
	case m == policy.Live && stage.ok() && stage.count() < policy.LeastLiveStage:
		b.wrong(it.place, "such as policy: {stage: 3}", "services.%s: at stage %d nothing is written to a real service", service, stage.count())
		return "", false
	}
	return m, true
}

// upstream reads how the real service is reached; nil: nothing is said of it, and
// nothing has to be.
func (b *binder) upstream(f field, reaches bool) *Upstream {
	it, record := f.item.get("upstream"), f.item.get("record")
	if it == nil && record == nil && !reaches || it != nil && it.bad {
		return nil
	}
	at := it.where(f.place)
	if !reaches {
		if f.item.get("mode") != nil { // it says fake, or what is wrong with it was said
			return nil
		}
		b.warn(it.where(record.where(f.place)), "such as mode: live-read", "services.%s: nothing is read from the real service, since its mode is fake", f.name)
		return nil
	}
	credential := it.get("credential")
	u := &Upstream{
		Service: f.name, Env: credential.get("env").str(), File: credential.get("file").str(), Timeout: cmp.Or(it.get("timeout").span(), upstreamTimeout),
		MaxReply: upstreamReply, Keep: cmp.Or(it.get("keep").str(), KeepRedacted), Account: it.get("account").str(), Roots: it.get("roots").str(), Record: record.str(),
	}
	switch {
	case credential != nil && credential.bad:
	case (u.Env == "") == (u.File == ""):
		b.wrong(credential.where(at), "such as upstream: {credential: {env: "+variableFor(f.name)+"}}", "services.%s: say where the real credential is, env or file, and one of them", f.name)
	case u.Env != "" && !variableForm().MatchString(u.Env):
		b.wrong(credential.get("env").place, "such as env: "+variableFor(f.name), "services.%s: %s is no name of a variable", f.name, shorten(u.Env))
	}
	if record == nil && b.records(f) {
		b.wrong(f.item.get("mode").place, "such as record: recordings/"+f.name, "services.%s: mode record says where to: record, a folder", f.name)
	}
	u.Listed = it.get("hosts").ok()
	u.Hosts = b.upstreamHosts(f, it.get("hosts"))
	if len(u.Hosts) == 0 && it.get("hosts") == nil {
		b.wrong(at, "such as upstream: {hosts: [api.acme.com]}", "services.%s: nobody says at which host the real service is", f.name)
	}
	b.upstreamBounds(f, it, u)
	return u
}

// records tells whether an operation of a service is to be recorded.
func (b *binder) records(f field) bool {
	it := f.item.get("mode")
	return it.source == string(policy.Recorded) || slices.ContainsFunc(it.all(), func(one field) bool { return one.item.source == string(policy.Recorded) })
}

// upstreamBounds reads how much is waited for and kept.
func (b *binder) upstreamBounds(f field, it *item, u *Upstream) {
	if u.Timeout > mostTimeout {
		b.wrong(it.get("timeout").place, "such as timeout: 20s", "services.%s: a timeout above %s is none", f.name, mostTimeout)
	}
	if size := it.get("max_reply"); size.ok() {
		n, err := faults.ParseSize(size.str())
		if err != nil || n < 1 || n > mostReply {
			b.wrong(size.place, "such as max_reply: 10MB", "services.%s: max_reply is a size with its unit, up to 100MB", f.name)
		}
		u.MaxReply = n
	}
	if u.Keep == KeepAll && u.Account != AccountTest {
		b.wrong(it.get("keep").place, "say account: test, or keep: redacted", "services.%s: all that a real account answers is kept of a test account alone", f.name)
	}
}

// upstreamHosts gives where the real service is: what is said, else what its
// contract says.
func (b *binder) upstreamHosts(f field, it *item) []string {
	var hosts []string
	if !it.ok() {
		s, _ := b.catalogue.Service(f.name)
		if s.Contract != nil {
			hosts = slices.DeleteFunc(slices.Clone(s.Contract.Hosts), func(host string) bool { return strings.HasPrefix(host, "*") })
		}
		return hosts
	}
	for _, e := range it.list {
		host := strings.ToLower(e.str())
		switch {
		case !e.ok():
		case !reachable(host):
			b.wrong(e.place, "such as api.github.com, or crm.internal:8443", "services.%s.upstream.hosts: %s is no host", f.name, shorten(e.str()))
		case !slices.Contains(hosts, host):
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// reachable tells a host, or a host with its port, that one can connect to.
func reachable(host string) bool {
	if name, port, err := net.SplitHostPort(host); err == nil {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return false
		}
		host = name
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return !strings.HasPrefix(host, "*") && hostForm().MatchString(host) && len(host) <= 253
}

// variableFor is a name that a variable for a service's credential may have.
func variableFor(service string) string {
	return strings.ToUpper(strings.ReplaceAll(service, "-", "_")) + "_KEY"
}

// unreadReal refuses tunnels to where a service is read: what passes them nobody
// reads.
func (b *binder) unreadReal(all map[string]*Upstream) {
	for _, e := range b.tree.get("policy").get("egress").get("tunnel").entries() {
		if !e.ok() {
			continue
		}
		egress, err := policy.Compile(e.str())
		if err != nil {
			continue // it was said
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			for _, host := range all[name].Hosts {
				bare, port := splitPort(host)
				if ok, _ := egress.Decide(bare, port); ok {
					b.wrong(e.place, "remove it", "policy.egress.tunnel: %s is where %s is read, and a tunnel passes unread", shorten(e.str()), name)
				}
			}
		}
	}
}

// splitPort gives host and port; without one, that of https.
func splitPort(host string) (string, int) {
	if name, port, err := net.SplitHostPort(host); err == nil {
		n, _ := strconv.Atoi(port)
		return name, n
	}
	return strings.Trim(host, "[]"), 443
}
