package faults

import "time"

// slowBody lets the body go out in pieces, at a rate.
//
//	head ─▶ ┄┄pause┄┄ {"id" ┄┄ :"ch_ ┄┄ 1","a ┄┄ …
func slowBody() *Fault {
	return &Fault{
		Name:     "slow-body",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "The body is dripped, piece by piece, at a rate; compressed and streamed bodies keep the rhythm.",
		Reaction: "Slow is not failed: no second call with the same intent while the first is open.",
		Judging:  Judging{Class: Slow},
		Unswept:  "it differs from latency in pace alone",
		Example: `dripped-lists:
  call: stripe GET /v1/charges
  inject: slow-body
  with: {rate: 512B, pause: 2s}`,
		Params: []Param{
			{Name: "rate", Kind: Size, Default: int64(1024), Doc: "how much of the body goes out in a second, before it is compressed", Example: "1KB"},
			{Name: "chunk", Kind: Size, Doc: "how much goes out at once, each piece in a write of its own; by default what the rate gives in a tenth of a second", Example: "128B"},
			{Name: "pause", Kind: Duration, Max: int64(time.Hour), Doc: "how long nothing comes after the head", Example: "2s"},
			encodingParam(),
			framingParam("length"),
		},
		build: buildDrip,
	}
}

type drip struct {
	chunk   int
	every   time.Duration
	pause   time.Duration
	framing framing
}

func buildDrip(a Args) (Injection, error) {
	rate, chunk := a.count("rate"), a.count("chunk")
	if rate < 1 || rate > 1<<30 {
		return nil, &ArgError{Key: "rate", Message: "a rate is between 1B and 1GB a second"}
	}
	if !a.has("chunk") {
		chunk = max(1, rate/10)
	}
	if chunk < 1 || chunk > 1<<30 {
		return nil, &ArgError{Key: "chunk", Message: "a chunk is between 1B and 1GB"}
	}
	every := time.Duration(float64(chunk) / float64(rate) * float64(time.Second))
	if every < time.Millisecond || every > time.Hour {
		return nil, &ArgError{Key: "chunk", Message: "a chunk of this size at this rate is one each " + every.String() +
			"; it has to be between a millisecond and an hour"}
	}
	return drip{chunk: int(chunk), every: every, pause: a.duration("pause"), framing: framingOf(a)}, nil
}

func (d drip) Apply(p *Plan, _ CallContext) Mark {
	p.Wire.Chunk, p.Wire.Every = d.chunk, d.every
	p.Wire.BodyWait += d.pause
	d.framing.put(p)
	return Mark{}
}
