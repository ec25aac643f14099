package report

import "testing"

// The command that is printed to do a run again did another run: of all rules
// where some were on, of none where it named another profile.
func TestAgainDoesTheSameAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, profile string
		flags, rules  []string
		want          string
	}{
		{"as it was", "p.yaml", nil, nil, "parity run --profile p.yaml --seed 7 -- agent"},
		{"some rules alone", "p.yaml", []string{"--only", "slow"}, nil, "parity run --profile p.yaml --seed 7 --only slow -- agent"},
		{"the one that failed", "p.yaml", []string{"--only", "slow", "--allow", "x.example"}, []string{"lose"}, "parity run --profile p.yaml --seed 7 --allow x.example --only lose -- agent"},
		{"a cell", "p.yaml", []string{"--cell", "a × b"}, nil, "parity run --profile p.yaml --seed 7 --cell 'a × b' -- agent"},
		{"layers", "p.yaml + lost-replies", nil, nil, "parity run --profile p.yaml --profile lost-replies --seed 7 -- agent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := Report{Profile: c.profile, Seed: 7, Flags: c.flags, Command: []string{"agent"}}
			if got := r.again(c.rules); got != c.want {
				t.Errorf("%s\nwanted %s", got, c.want)
			}
		})
	}
}

// The command that was proposed, of the profile that loses replies, threw away
// the world that the user had made.
func TestAProposedProfileKeepsTheWorld(t *testing.T) {
	t.Parallel()
	r := Report{Profile: "mine.yaml", Seed: 7, Flags: []string{"--only", "-", "--cell", "a × b", "--strict"}, Command: []string{"agent"}}
	if got, want := r.otherwise("--sweep"), "parity run --profile mine.yaml --sweep --strict -- agent"; got != want {
		t.Errorf("%s\nwanted %s", got, want)
	}
	r.Profile = ""
	if got, want := r.otherwise("--sweep"), "parity run --sweep --strict -- agent"; got != want {
		t.Errorf("%s\nwanted %s", got, want)
	}
}

// The command that is proposed lost a quote after --api-key=, since the whole of
// it was masked once more.
func TestAgainKeepsItsQuotes(t *testing.T) {
	t.Parallel()
	r := Report{Profile: "p.yaml", Seed: 7, Command: []string{"agent", "--api-key=it is", "--x"}}
	const want = "parity run --profile p.yaml --seed 7 -- agent '--api-key=***' --x"
	if got := newMasker().mask(r.again(nil)); got != want {
		t.Errorf("%s\nwanted %s", got, want)
	}
}
