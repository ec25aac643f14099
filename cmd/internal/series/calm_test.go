package series

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/gateway/verdict"
)

func oneAtATime(o *Options) { o.Parallel = 1 }

// shopper is the command line of an agent of the demo, which ends with a code.
func shopper(exit string) string {
	return `SERIES_TEST_AGENT=careful "` + os.Args[0] + `"; exit ` + exit
}

// numbers are those of the runs that one is judged beside.
func numbers(s *Series, all []verdict.Calm) (names []string) {
	for _, c := range all {
		names = append(names, strings.TrimPrefix(c.Run, s.Name+"-"))
	}
	return names
}

// What an agent does without faults was known of its own twin alone, and of that
// no more than whether it passed.
func TestARunIsJudgedBesideThoseWithoutFaults(t *testing.T) {
	t.Parallel()
	seven, eight := uint64(7), uint64(8)
	pairs := func(jobs ...Job) (all []Job) {
		for _, job := range jobs {
			calm, with := twins(job)
			all = append(all, calm, with)
		}
		return all
	}
	for _, c := range []struct {
		name, agent string
		jobs        []Job
		want        [][]string // by job
	}{
		{"a twin", shopper("3"), pairs(Job{Seed: &seven}), [][]string{nil, {"1"}}},
		{"twins of one seed", shopper("3"), pairs(Job{Seed: &seven}, Job{Seed: &seven}), [][]string{nil, {"1"}, nil, {"3", "1"}}},
		{"twins of two seeds", shopper("3"), pairs(Job{Seed: &seven}, Job{Seed: &eight}), [][]string{nil, {"1"}, nil, {"3"}}},
		{"twins of two profiles", shopper("3"), pairs(Job{Seed: &seven}, Job{Seed: &seven, Profile: "stripe"}), [][]string{nil, {"1"}, nil, {"3"}}},
		{"a cell of a sweep", shopper("3"), []Job{{Only: []string{kept.NoRules}}, {beside: []string{"1"}}}, [][]string{nil, {"1"}}},
		{"a twin that was ended", "exec sleep 1000", pairs(Job{Limit: 100 * time.Millisecond}), [][]string{nil, nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			s := opened(t, root, c.agent, oneAtATime)
			for _, job := range c.jobs {
				for i := range job.beside {
					job.beside[i] = s.Name + "-" + job.beside[i]
				}
			}
			all, err := s.Run(t.Context(), c.jobs)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				there, err := s.srv.Kept(all[i].Run)
				if err != nil {
					t.Fatal(err)
				}
				later, err := kept.Read(root, all[i].Run)
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range []*kept.Run{there, later} {
					calm, gone := k.CalmRuns()
					if got := numbers(s, calm); !slices.Equal(got, want) || gone != nil {
						t.Errorf("job %d is judged beside %q, want %q; %q", i, got, want, gone)
					}
					for _, other := range calm {
						if len(other.Events) < 2 || len(other.Settlements) == 0 || other.Ending == nil || other.Ending.Exit != 3 {
							t.Errorf("run %s: %d events, %d settlements, ending %v", other.Run, len(other.Events), len(other.Settlements), other.Ending)
						}
					}
				}
			}
		})
	}
}

// A run whose twin was removed was judged as if it had none, and nothing said so.
func TestARunWhoseTwinIsGoneSaysSo(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := opened(t, root, shopper("0"), oneAtATime)
	calm, with := twins(Job{})
	all, err := s.Run(t.Context(), []Job{calm, with})
	if err != nil {
		t.Fatal(err)
	}
	_, control := s.srv.Nearby()
	c, err := client.New(client.Options{URL: "http://" + control, Token: s.srv.DrawnToken()})
	if err == nil {
		err = c.Remove(t.Context(), all[0].Run)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() (*kept.Run, error){
		"there": func() (*kept.Run, error) { return s.srv.Kept(all[1].Run) },
		"later": func() (*kept.Run, error) { return kept.Read(root, all[1].Run) },
	} {
		said, rep := false, report.Report{}
		for range 200 { // a removal is written a moment later
			k, err := read()
			if err != nil {
				t.Fatal(err)
			}
			rep = k.Report()
			if said = slices.ContainsFunc(rep.Hints, func(h string) bool { return strings.Contains(h, "-1, which went without faults, is gone") }); said {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if !said || rep.Exit != report.Nothing {
			t.Errorf("%s: exit %d, hints %q", name, rep.Exit, rep.Hints)
		}
	}
}
