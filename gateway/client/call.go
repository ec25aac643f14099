package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Error is what the control plane refused, and why.
type Error struct {
	Status     int
	Code       string      // what sort of refusal, such as "unknown-run"
	Detail     string      // what is wrong, and what to do
	Violations []Violation // in what the request breaks the contract; code "contract"
}

// Violation is one way a request breaks the contract.
type Violation struct {
	In      string `json:"in"`      // path, query, header or body
	Pointer string `json:"pointer"` // JSON pointer (RFC 6901) to the value
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Detail }

// mostRefusal bounds what is read of a refusal.
const mostRefusal = 1 << 20

// call makes one call, and reads its answer into into, where that is not nil.
func (c *Client) call(ctx context.Context, method, path string, body, into any) error {
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(data)
	}
	reply, err := c.send(ctx, method, path, "application/json", sent)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if into == nil {
		return nil
	}
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		return fmt.Errorf("%s %s: the answer broke off: %w", method, path, err)
	}
	exact := json.NewDecoder(bytes.NewReader(data))
	exact.UseNumber() // people are shown each digit
	err = exact.Decode(into)
	if err == nil && exact.More() {
		err = errors.New("there is more behind it")
	}
	if err != nil {
		return fmt.Errorf("%s %s: the answer is not what the contract says: %w; is a gateway of this version at %s?", method, path, err, c.base)
	}
	return nil
}

// copy writes an answer to w. An answer that breaks off is an error: a part is
// not taken for the whole.
func (c *Client) copy(ctx context.Context, w io.Writer, path string) error {
	reply, err := c.send(ctx, http.MethodGet, path, "*/*", nil)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if _, err = io.Copy(w, reply.Body); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}

// send gives a good answer, whose body is to be closed; what the control plane
// refuses is an *Error.
func (c *Client) send(ctx context.Context, method, path, accept string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Accept", accept)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	reply, err := c.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, fmt.Errorf("no gateway answers at %s: %w; start one with `parity serve`, or name another with --gateway", c.base, err)
	}
	if reply.StatusCode/100 == 2 {
		return reply, nil
	}
	defer reply.Body.Close()
	return nil, c.refusal(reply)
}

// refusal reads a problem, or says what came in its place.
func (c *Client) refusal(reply *http.Response) error {
	e := &Error{Status: reply.StatusCode}
	var problem struct {
		Code       string      `json:"code"`
		Detail     string      `json:"detail"`
		Violations []Violation `json:"violations"`
	}
	data, err := io.ReadAll(io.LimitReader(reply.Body, mostRefusal))
	if err == nil {
		err = json.Unmarshal(data, &problem)
	}
	if err != nil || problem.Detail == "" {
		const most = 200
		text := strings.TrimSpace(strings.ToValidUTF8(string(data[:min(len(data), most)]), ""))
		e.Detail = fmt.Sprintf("%s answered %s, and not as a control plane does: %q; name the gateway's control port with --gateway", c.base, reply.Status, text)
		return e
	}
	e.Code, e.Detail, e.Violations = problem.Code, problem.Detail, problem.Violations
	return e
}
