package github

import (
	"net/http"

	"parity/fakes"
)

// Defer answers as GitHub does of forks and of other work that it takes on: 202
// with what there will be, and no job. Clients read that until it is there.
// Source: docs.github.com/rest/repos/forks#create-a-fork.
func (f *Fake) Defer(_ *fakes.Call, w fakes.Work, said fakes.Reply) (fakes.Reply, string, bool) {
	return said, w.ID, said.Status == http.StatusAccepted
}
