package report

import (
	"time"

	"parity/faults/trail"
	"parity/profiles"
)

// sample is a run with everything handled; cases alter it.
func sample() Report {
	return Report{
		Run: "7f3a", Profile: "rough-afternoon", Seed: 7, Ended: true, Command: []string{"my-agent"},
		Revisions: []Revision{{Hash: "c3d4e5f6a7b8", From: 1}},
		Agent:     &Agent{Started: true, Took: 1200 * time.Millisecond},
		Judgement: trail.Judgement{
			Valid: true,
			Verdicts: []trail.Verdict{
				{
					Subject: "lose-a-big-refund", Kind: "fault", Result: trail.Passed, Reaction: trail.Handled,
					Lines:   []string{"#14 refunded, reply lost   #15 looked: it was there   no second call"},
					Because: "Twin refunds 32 to 37 s apart after a client deadline of 30 s.",
				},
				{
					Subject: "slow-everything", Kind: "fault", Result: trail.Passed, Reaction: trail.Handled,
					Lines: []string{"8 slow answers   none was sent again while it was open"},
				},
				{
					Subject: "always: one effect per intent", Kind: "always", Result: trail.Passed,
					Lines: []string{"6 intents changed something, each once"},
				},
			},
			Scope: trail.Scope{
				Exchanges: 18,
				Faults: []trail.RuleCount{
					{Rule: "lose-a-big-refund", Fault: "ambiguous-success", Required: true, Matched: 3, Fired: 1},
					{Rule: "slow-everything", Fault: "latency", Matched: 18, Fired: 8},
				},
				Operations: []trail.Touched{
					{Operation: "stripe GET /v1/charges/{charge}", Effect: "read", Exchanges: 12, Fidelity: []trail.Fidelity{trail.Modelled}},
					{Operation: "stripe POST /v1/refunds", Effect: "irreversible", Exchanges: 6, Committed: 6, First: 14, Fidelity: []trail.Fidelity{trail.Modelled}},
				},
				NeverCalled: []string{"hubspot"},
				Differences: []trail.Difference{{Name: "no-settlement", So: "Nothing here shows that the agent waits for settlement.", Weakens: []string{"settlement"}, Exchanges: 6}},
				Outside:     []trail.HostCount{{Host: "api.anthropic.com", Calls: 14, By: "model-apis"}},
			},
		},
	}
}

func failing(r *Report) {
	line := "#14 refunded, reply lost   #15 sent again with a new key: 2 refunds, 240.00 USD"
	for _, i := range []int{0, 2} {
		v := &r.Verdicts[i]
		v.Result, v.Lines, v.Mend = trail.Failed, []string{line}, "keep the Idempotency-Key of the first attempt, or read the charge first"
		v.Headline, v.Evidence = "refunded twice: 240.00 USD", []uint64{14, 15}
	}
	r.Verdicts[0].Reaction = trail.Mishandled
	r.Exit = 1
}

func silent(r *Report) {
	r.Verdicts[0] = trail.Verdict{
		Subject: "lose-a-big-refund", Kind: "required", Result: trail.InvalidRun,
		Why:     "it was about 4 calls, and never fired: its condition could not be evaluated 4 times (when: result has no field amount)",
		Because: "Twin refunds 32 to 37 s apart after a client deadline of 30 s.",
	}
	r.Verdicts[1] = trail.Verdict{Subject: "slow-everything", Kind: "fault", Result: trail.NotExercised, Why: "no call was one that it is about"}
	r.Valid, r.Exit = false, 125
	r.Faults[0].Fired, r.Faults[1].Fired = 0, 0
}

func mute(r *Report) {
	silent(r)
	r.Verdicts[2].Result, r.Verdicts[2].Lines = trail.NotExercised, nil
	r.Exchanges, r.Operations, r.Differences, r.NeverCalled = 0, nil, nil, []string{"hubspot", "stripe"}
	r.Verdicts[0].Why = "no call was one that it is about"
}

func faultless(r *Report) {
	r.Profile, r.Revisions, r.Faults = "", nil, nil
	r.Verdicts = r.Verdicts[2:]
	r.Operations = append(r.Operations, trail.Touched{
		Operation: "stripe POST /v1/payment_intents", Effect: "irreversible", Exchanges: 1, Committed: 1, First: 9,
		Fidelity: []trail.Fidelity{trail.Modelled},
	})
}

func mixed(r *Report) {
	r.Verdicts[0].Why = "the SDK's own retry hid it from the agent; trigger: {tries: 3} reaches past it"
	r.Verdicts[0].Lines = []string{"#14 refunded, reply lost   #15 sent again with the same key: 1 refund, 120.00 USD"}
	r.Verdicts[1].Result, r.Verdicts[1].Reaction, r.Verdicts[1].Lines = trail.NotEvaluated, trail.CutShort, []string{"#19 slow"}
	r.Verdicts[1].Why = "the run ended before this call did"
	r.Verdicts = append(r.Verdicts, trail.Verdict{
		Subject: "cut-lists", Kind: "fault", Result: trail.NotEvaluated, Reaction: trail.Unjudged, Weakened: []string{"no-lag"},
		Lines: []string{"#3 GET /v1/charges, reply cut short"}, Why: "it looked handled, but that proves nothing: no-lag weakens freshness",
	})
	r.Faults[0].Unknown, r.Faults[0].Unknowing = 2, "when: result has no field amount"
	r.Outside = append(r.Outside, trail.HostCount{Host: "api.openai.com", Calls: 2, By: "--allow"})
	r.Denied = []trail.HostCount{{Host: "api.example.com", Calls: 3}, {Host: "127.0.0.1:8080", Calls: 1}}
	r.Defects = []trail.Defect{{Seq: 31, Note: "panic in act: index out of range"}}
	r.Operations[0].Fidelity = []trail.Fidelity{trail.Example}
	for _, name := range []string{"GET /a", "POST /a", "GET /a/{id}", "GET /b"} {
		r.Operations = append(r.Operations, trail.Touched{Operation: "crm " + name, Effect: "read", Exchanges: 1, Fidelity: []trail.Fidelity{trail.Generic}})
	}
	r.Operations[len(r.Operations)-1].Fidelity = []trail.Fidelity{trail.Injected}
	r.Revisions = append(r.Revisions, Revision{Hash: "0123456789ab", From: 12})
	r.Hints = []string{"a fixed clock start is not the agent's clock"}
	r.Command = []string{"python", "agent.py", "--order", "no 7", "--api-key", "sk_test_4eC39HqLyjWDarjtT1zdp7dc"}
	r.Flags = []string{"--allow", "api.openai.com"}
	r.Agent.Exit, r.Exit = 3, 125
}

// lapsed has known differences with everything that there is to say of them.
func lapsed(r *Report) {
	r.Strict = true
	held := func(by, until string, s trail.Standing) *trail.Acceptance {
		return &trail.Acceptance{By: by, Until: until, Standing: s}
	}
	r.Differences = []trail.Difference{
		{Name: "one-version", So: "Nothing here shows that the agent asks for a version.", Weakens: []string{"content"}, Exchanges: 18},
		{Name: "small-world", So: "Nothing here shows that the agent reads all pages.", Weakens: []string{"volume", "content"}, Exchanges: 12},
		{Name: "no-latency", So: "Nothing here shows that the agent is in time.", Weakens: []string{"timing"}, Exchanges: 18, Accepted: held("ops", "2027-01-01", trail.InForce)},
		{Name: "no-settlement", So: "Nothing here shows that the agent waits for settlement.", Weakens: []string{"settlement", "timing"}, Exchanges: 6, Accepted: held("billing-qa", "2026-03-01", trail.Expired)},
		{Name: "any-key", Weakens: []string{"auth"}, Exchanges: 18, Accepted: held("security", "2026-03-09", trail.Expiring)},
	}
	r.Untouched = []string{"hubspot-any-token", "hubspot-search-lag"}
	for _, name := range []string{"one", "two", "three", "four"} {
		r.Proposed = append(r.Proposed, trail.Proposal{
			Name: name, Covers: []string{"crm GET /contacts/{id}"}, Production: "Contacts are what they are.", Weakens: []string{"content"},
			Here: "Contacts are made up: all of them, and so are their names, addresses and telephone numbers, wherever nobody gave any.", So: "Nothing.",
		})
	}
	r.Declare = profiles.Declare(r.Proposed)
	r.Exit = r.HoldStrict(0)
}
