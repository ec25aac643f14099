package live

import (
	"context"
	"net/http"

	"parity/fakes/clock"
)

// Reads is a way to one real service by which nothing but reads leave: it has no
// pass for a write, and nobody can give it one.
type Reads struct {
	sender *Sender
	to     *Service
	header http.Header
	count  Count
}

// NewReads makes the way to a service, whose hosts are reached by a dialer. header
// goes with each call, as far as Send lets it.
func NewReads(d *Dialer, wall clock.Wall, to *Service, header http.Header) *Reads {
	return &Reads{sender: NewSender(d, wall), to: to, header: header}
}

// Get reads an address of the service, as Send does.
func (r *Reads) Get(ctx context.Context, path, query string) (Reply, Sight, *Trouble) {
	request := Request{Method: http.MethodGet, Path: path, Query: query, Header: r.header.Clone()}
	return r.sender.Send(ctx, Call{Request: request, To: r.to, Run: "", Base: "https://" + r.to.At(""), Count: &r.count})
}

// Sent is how many reads have left.
func (r *Reads) Sent() uint64 { sent, _ := r.count.Sent(); return sent }

// Done closes its connections.
func (r *Reads) Done() {
	if r.to.shared != nil {
		r.to.shared.CloseIdleConnections()
	}
}
