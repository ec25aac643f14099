package faults

// AsAsked, as a Plan's Encoding, encodes where the client's Accept-Encoding
// takes gzip or br, and otherwise does not.
const AsAsked = "as-asked"

// framing is how a body is encoded and delimited on the wire.
type framing struct {
	encoding string // "": as an earlier rule has it
	chunked  bool
}

func encodingParam() Param {
	return Param{
		Name: "encoding", Kind: Choice, Choices: []string{"identity", AsAsked, "gzip", "br"}, Default: "identity",
		Doc: "Content-Encoding of the body; as-asked: gzip or br where the client's Accept-Encoding takes it", Example: "gzip",
	}
}

func framingParam(preset string) Param {
	return Param{
		Name: "framing", Kind: Choice, Choices: []string{"length", "chunked"}, Default: preset,
		Doc: "how the body is delimited: by Content-Length, or in chunks (on HTTP/2, by no length)", Example: "chunked",
	}
}

func framingOf(a Args) framing {
	f := framing{encoding: a.text("encoding"), chunked: a.text("framing") == "chunked"}
	if f.encoding == "identity" {
		f.encoding = ""
	}
	return f
}

func (f framing) put(p *Plan) {
	if f.encoding != "" {
		p.Encoding = f.encoding
	}
	p.Wire.Chunked = p.Wire.Chunked || f.chunked
}
