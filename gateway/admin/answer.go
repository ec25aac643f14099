package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"parity/specs"
)

// outgoing remembers whether an answer has begun: from then on there is no
// other that could be given in its place.
type outgoing struct {
	http.ResponseWriter
	status int // what the first byte goes out with; 0: 200
	begun  bool
	left   bool // the caller takes no more
}

func (o *outgoing) WriteHeader(status int) {
	o.begun = true
	o.ResponseWriter.WriteHeader(status)
}

func (o *outgoing) Write(p []byte) (int, error) {
	if !o.begun && o.status != 0 {
		o.WriteHeader(o.status)
	}
	o.begun = true
	n, err := o.ResponseWriter.Write(p)
	o.left = o.left || err != nil
	return n, err
}

// Unwrap is for http.ResponseController.
func (o *outgoing) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// send gives an answer. cancel ends ctx, which is the operation's.
func (a *admin) send(ctx context.Context, cancel context.CancelFunc, out *outgoing, head bool, answer Answer) error {
	out.status = answer.Status
	switch {
	case answer.Events != nil:
		out.Header().Set("Content-Type", "text/event-stream")
		if head {
			return nil // its body would never end, and nobody would see it
		}
		return a.live(ctx, cancel, out, answer.Events)
	case answer.Stream != nil:
		out.Header().Set("Content-Type", answer.ContentType)
		if head {
			return nil
		}
		if err := unhurried(http.NewResponseController(out)); err != nil {
			return err
		}
		return answer.Stream(out)
	case answer.JSON == nil:
		if answer.Status == 0 {
			out.status = http.StatusNoContent
		}
		out.WriteHeader(out.status)
		return nil
	}
	body, err := json.Marshal(answer.JSON)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	out.Header().Set("Content-Type", "application/json")
	_, err = out.Write(append(body, '\n'))
	return err
}

// failed tells why an operation was not done. Where a part of its answer is out
// already, the connection is cut: a whole answer ends otherwise.
func (a *admin) failed(out *outgoing, r *http.Request, err error) {
	if out.left || r.Context().Err() != nil { // it is no error of ours
		a.o.Log.DebugContext(r.Context(), "control operation left", "method", r.Method, "path", r.URL.Path, "error", err)
		panic(http.ErrAbortHandler)
	}
	p := problemOf(err)
	if p.Status == http.StatusInternalServerError {
		a.o.Log.ErrorContext(r.Context(), "control operation", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	if out.begun {
		panic(http.ErrAbortHandler)
	}
	p.send(out)
}

// problem is an RFC 9457 problem, whose detail says what to do.
type problem struct {
	Status     int         `json:"status"`
	Title      string      `json:"title"`
	Code       string      `json:"code,omitempty"`
	Detail     string      `json:"detail"`
	Violations []violation `json:"violations,omitempty"`
}

// violation is one way a request breaks the contract.
type violation struct {
	In      string `json:"in"`
	Pointer string `json:"pointer"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

func newProblem(status int, code, detail string) *problem {
	return &problem{Status: status, Title: http.StatusText(status), Code: code, Detail: detail}
}

// problemOf is what is told of an error: what an operation wants told, or that
// it broke.
func problemOf(err error) *problem {
	var p *Problem
	if errors.As(err, &p) && p.Status >= 400 && p.Status <= 599 {
		return newProblem(p.Status, p.Code, p.Detail)
	}
	what := strings.ReplaceAll(err.Error(), "\n", "; ") // as joined errors have it
	return newProblem(http.StatusInternalServerError, "gateway-defect", "the gateway could not do this: "+what+"; its log may say more")
}

// mostTold bounds how many violations the detail has in words.
const mostTold = 3

// broken tells in what a request breaks the contract.
func broken(violations []specs.Violation) *problem {
	p := newProblem(http.StatusBadRequest, "contract", "")
	var words []string
	for _, v := range violations {
		p.Violations = append(p.Violations, violation{v.In, v.Pointer, v.Rule, v.Message})
		words = append(words, strings.TrimSpace(v.In+" "+v.Pointer)+": "+v.Message)
	}
	if more := len(words) - mostTold; more > 0 {
		words = append(words[:mostTold], fmt.Sprintf("and %d more", more))
	}
	p.Detail = strings.Join(words, "; ")
	return p
}

func refuse(w http.ResponseWriter, status int, code, detail string) {
	newProblem(status, code, detail).send(w)
}

func (p *problem) send(w http.ResponseWriter) {
	body, err := json.Marshal(p)
	if err != nil { // of numbers and strings: it cannot fail
		body = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // whoever has left needs no answer
}
