package github_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// What led to a commit is found without looking at all that did: whatever the
// shape of the history and its dates, and however much of it was only told of.
func TestCommitsAreComparedAsIfAllHistoryWereLookedThrough(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		chance := rand.New(rand.NewPCG(seed, 1)) // #nosec G404 -- a test's
		h := newHistory(t, chance)
		for range 15 {
			h.compare(chance.IntN(len(h.commits)), chance.IntN(len(h.commits)))
		}
	}
}

type history struct {
	*faketest.Rig
	commits []string
	led     []map[int]bool // to each commit, itself too
}

// newHistory makes commits with any dates and up to two parents of those before,
// and takes the height from some of them and from all that they led to.
func newHistory(t *testing.T, chance *rand.Rand) *history {
	h := &history{Rig: newRig(t)}
	h.Must(http.StatusCreated, h.JSON("POST", "/user/repos", map[string]any{"name": "web", "auto_init": true}))
	tip := h.Must(http.StatusOK, h.Send("GET", "/repos/octocat/web/git/ref/heads/main", "")).Text("object.sha")
	tree := h.Must(http.StatusOK, h.Send("GET", "/repos/octocat/web/git/commits/"+tip, "")).Text("tree.sha")
	h.commits, h.led = []string{tip}, []map[int]bool{{0: true}}
	lacking := map[int]bool{}
	for n := 1; n < 25; n++ {
		led, parents := map[int]bool{n: true}, []string{}
		for range 1 + chance.IntN(2) {
			p := max(0, n-1-chance.IntN(6))
			if !led[p] {
				parents = append(parents, h.commits[p])
			}
			maps.Copy(led, h.led[p])
			lacking[n] = lacking[n] || lacking[p]
		}
		lacking[n] = lacking[n] || chance.IntN(20) == 0
		date := time.Date(2026, 1, 1+chance.IntN(9), 0, 0, 0, 0, time.UTC).Format(time.RFC3339)
		by := map[string]any{"name": "a", "email": "a@b.example", "date": date}
		g := h.Must(http.StatusCreated, h.JSON("POST", "/repos/octocat/web/git/commits", map[string]any{
			"message": fmt.Sprint(n), "tree": tree, "parents": parents, "author": by, "committer": by,
		}))
		h.commits, h.led = append(h.commits, g.Text("sha")), append(h.led, led)
	}
	tx := h.World.Begin()
	for n := range lacking {
		for object := range h.World.Newest("github.objects", 0) {
			if value := maps.Clone(object.Value()); lacking[n] && object.ID[len(object.ID)-40:] == h.commits[n] {
				value["height"] = int64(0)
				if _, err := tx.Update("github.objects", object.ID, value); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	h.World = tx.Commit()
	return h
}

func (h *history) compare(a, b int) {
	h.T.Helper()
	ahead, behind := without(h.led[b], h.led[a]), without(h.led[a], h.led[b])
	g := h.Must(http.StatusOK, h.Send("GET", "/repos/octocat/web/compare/"+h.commits[a]+"..."+h.commits[b], ""))
	faketest.Want(h.T, g, map[string]any{"ahead_by": int64(len(ahead)), "behind_by": int64(len(behind))})
	for n := range ahead {
		if !slices.Contains(g.Texts("commits", "sha"), h.commits[n]) {
			h.T.Errorf("%d to %d: %d is not among the commits", a, b, n)
		}
	}
	base := g.Text("merge_base_commit.sha")
	for n, sha := range h.commits {
		if sha == base && (!h.led[a][n] || !h.led[b][n]) {
			h.T.Errorf("%d to %d: %d did not lead to both", a, b, n)
		}
	}
	if base == "" {
		h.T.Errorf("%d to %d: no merge base", a, b)
	}
	h.Must(http.StatusCreated, h.JSON("POST", "/repos/octocat/web/git/refs", map[string]any{"ref": "refs/heads/moving", "sha": h.commits[a]}))
	want := http.StatusOK
	if !h.led[b][a] {
		want = http.StatusUnprocessableEntity
	}
	h.Must(want, h.JSON("PATCH", "/repos/octocat/web/git/refs/heads/moving", map[string]any{"sha": h.commits[b]}))
	h.Must(http.StatusNoContent, h.Send("DELETE", "/repos/octocat/web/git/refs/heads/moving", ""))
}

// without gives those that are not among others.
func without(these, those map[int]bool) map[int]bool {
	left := map[int]bool{}
	for n := range these {
		if !those[n] {
			left[n] = true
		}
	}
	return left
}
