package live

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
)

// Codes of what went wrong on the way, of a closed set.
const (
	CodeRefused     = "upstream-refused"     // it may not leave
	CodeUnreachable = "upstream-unreachable" // no reply came
	CodeTimeout     = "upstream-timeout"
	CodeRedirect    = "upstream-redirect" // it leads elsewhere
	CodeTooLarge    = "upstream-too-large"
	CodeUnread      = "upstream-unread" // what a write is about could not be read
)

// A Trouble is why a call has no reply of the real service. Message is a fixed
// text for the client; Why is for the record, and without credentials.
type Trouble struct {
	Code    string
	Status  int
	Message string
	Why     string
	Sent    bool // it may have left: of a write nobody knows what came of it
}

// Error is what it prints as.
func (t *Trouble) Error() string { return t.Code + ": " + t.Why }

// Held is the trouble of a call that does not leave.
func Held(why string) *Trouble { return refused(why) }

// OfWrite is the trouble as whoever made a write is told it.
func (t *Trouble) OfWrite() *Trouble {
	told := *t
	if t.Code != CodeRefused {
		told.Message += " Nothing was sent."
	}
	if t.Sent {
		told.Message = t.Message + " The call was sent, and nobody knows whether it was done: look there before it is made again."
	}
	return &told
}

// Recalled is the trouble of a record, by its code.
func Recalled(code, why string) *Trouble {
	for _, t := range []*Trouble{
		refused(why), redirected(why), tooLarge(why), unread(why), failed(context.Background(), errors.New(why), true, func(text string) string { return text }),
	} {
		if t.Code == code {
			return t
		}
	}
	return timedOut(why, true)
}

func timedOut(why string, sent bool) *Trouble {
	return &Trouble{Code: CodeTimeout, Status: http.StatusGatewayTimeout, Message: "The real service did not answer in time.", Why: why, Sent: sent}
}

func refused(why string) *Trouble {
	return &Trouble{Code: CodeRefused, Status: http.StatusForbidden, Message: "This call does not leave for the real service. Nothing was sent.", Why: why}
}

// Unread is the trouble of a write whose record the real service did not show when
// it was read: it does not leave.
func Unread(status int) *Trouble { return unread("it answered the read with " + strconv.Itoa(status)) }

func unread(why string) *Trouble {
	return &Trouble{Code: CodeUnread, Status: http.StatusBadGateway, Message: "What this call is about could not be read at the real service. Nothing was sent.", Why: why}
}

func redirected(why string) *Trouble {
	return &Trouble{Code: CodeRedirect, Status: http.StatusBadGateway, Message: "The real service sends this call to another host, which is not followed.", Why: why, Sent: true}
}

func tooLarge(why string) *Trouble {
	return &Trouble{Code: CodeTooLarge, Status: http.StatusBadGateway, Message: "The real service's reply is longer than may be read here.", Why: why, Sent: true}
}

// failed words an error of the way there. Sent says whether anything may have
// left.
func failed(ctx context.Context, err error, sent bool, hide func(string) string) *Trouble {
	var timeout net.Error
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return timedOut(hide(err.Error()), sent)
	}
	return &Trouble{Code: CodeUnreachable, Status: http.StatusBadGateway, Message: "The real service could not be reached.", Why: hide(err.Error()), Sent: sent}
}
