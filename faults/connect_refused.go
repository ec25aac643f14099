package faults

// What becomes of a connection that is refused.
const (
	RefuseReset     = "refuse"
	RefuseHandshake = "tls-cut"
	RefuseName      = "wrong-name"
)

// connectRefused keeps a connection from coming about.
//
//	CONNECT ─▶ ╳ RST        ClientHello ─▶ ╳        ClientHello ─▶ a certificate for somebody else
func connectRefused() *Fault {
	return &Fault{
		Name:       "connect-refused",
		Phase:      Instead,
		Decides:    true,
		Connection: true,
		Summary:    "No connection: a reset at CONNECT or at the first byte, a TLS handshake that is cut, or a certificate for another name.",
		Reaction:   "Bounded retries with growing gaps.",
		Judging:    Judging{Class: Unreachable},
		Unswept:    "it is about connections",
		Example: `first-three-connections:
  call: stripe *
  inject: connect-refused
  with: {how: refuse}
  trigger: {first: 3}`,
		Params: []Param{
			{
				Name: "how", Kind: Choice, Choices: []string{RefuseReset, RefuseHandshake, RefuseName}, Default: RefuseReset,
				Doc: "refuse: RST before any byte of an answer; tls-cut: the connection ends after the client's hello; wrong-name: the certificate is for another host. The last two need a handshake that is for this service alone: by a proxy's CONNECT or a server name", Example: "tls-cut",
			},
		},
		build: func(a Args) (Injection, error) { return unreachable{how: a.text("how")}, nil },
	}
}

type unreachable struct{ how string }

func (u unreachable) Apply(p *Plan, _ CallContext) Mark {
	p.Refuse = u.how
	return Mark{}
}
