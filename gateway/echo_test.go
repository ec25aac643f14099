package gateway_test

import (
	"net/http"
	"strings"
	"testing"
)

// A body of one unknown name was once said back three times, and a few such
// calls filled what a journal may hold unwritten.
func TestALongUnknownNameIsKeptOnce(t *testing.T) {
	t.Parallel()
	h := open(t, quiet)
	c := h.proxied(false)
	const size = 4 << 20
	status, body, _, _ := call(t, c, "POST", "https://api.stripe.com/v1/payment_intents", payment+"&"+strings.Repeat("n", size)+"=1")
	if status != http.StatusBadRequest {
		t.Fatalf("answered %d: %.200v", status, body)
	}
	events, _ := h.events()
	x := events[len(events)-1].Exchange
	said := len(x.ReplyBody) + len(x.Note)
	for _, v := range x.Violations {
		said += len(v.Pointer) + len(v.Message)
	}
	if said > 10_000 {
		t.Errorf("%d bytes are said back of a name of %d", said, size)
	}
}
