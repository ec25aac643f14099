package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"parity/faults/trail"
)

// OTLP writes the run as traces, in the JSON of OpenTelemetry's protocol
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
//
//	agent's trace ── its client span ── exchange        by traceparent
//	run's trace ──── the run ────────── exchange        where the agent sent none
//	                    └ verdicts, as events
//
// Times are those of the wire, by the clock on the wall; an exchange of which
// nobody knows what went out takes none. Ids derive from the run, so that the
// same run sent twice is there once.
func OTLP(w io.Writer, r Report, events []trail.Event, settlements map[uint64]trail.Settlement) error {
	out := bufio.NewWriter(w)
	t := newSpans(&r, settlements)
	around, err := t.masked(t.document([]otlpSpan{}))
	if err != nil {
		return err
	}
	head, tail, _ := strings.Cut(around, `"spans":[]`)
	_, _ = out.WriteString(head + `"spans":[`)
	put := func(span otlpSpan) error {
		text, err := t.masked(span)
		_, _ = out.WriteString("\n" + text)
		return err
	}
	for i := range events {
		if e := &events[i]; e.Kind == trail.Exchanged && e.Exchange != nil {
			if err := put(t.exchange(e)); err != nil {
				return err
			}
			_ = out.WriteByte(',')
		}
	}
	if err := put(t.run()); err != nil {
		return err
	}
	_, _ = out.WriteString("\n]" + tail + "\n")
	return out.Flush() // which keeps the first error
}

// OTLPParts gives what OTLP wrote as documents of at most so many spans:
// collectors bound what they take at once.
func OTLPParts(doc []byte, most int) ([][]byte, error) {
	var whole otlpTraces
	if err := json.Unmarshal(doc, &whole); err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	var parts [][]byte
	for _, resource := range whole.Resources {
		for _, scope := range resource.Scopes {
			for batch := range slices.Chunk(scope.Spans, most) {
				one := otlpResourceSpans{resource.Resource, []otlpScopeSpans{{scope.Scope, batch}}}
				part, err := json.Marshal(otlpTraces{[]otlpResourceSpans{one}})
				if err != nil {
					return nil, fmt.Errorf("traces: %w", err)
				}
				parts = append(parts, part)
			}
		}
	}
	return parts, nil
}

// The messages of the protocol that we write: enums are numbers, ids are hex, and
// 64-bit numbers are text.
type (
	otlpTraces struct {
		Resources []otlpResourceSpans `json:"resourceSpans"`
	}
	otlpResourceSpans struct {
		Resource otlpResource     `json:"resource"`
		Scopes   []otlpScopeSpans `json:"scopeSpans"`
	}
	otlpResource struct {
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpScopeSpans struct {
		Scope otlpScope  `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpScope struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		TraceState string          `json:"traceState,omitempty"`
		Parent     string          `json:"parentSpanId,omitempty"`
		Flags      uint32          `json:"flags,omitempty"`
		Name       string          `json:"name"`
		Kind       int             `json:"kind"`
		Start      int64           `json:"startTimeUnixNano,string"`
		End        int64           `json:"endTimeUnixNano,string"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
		Events     []otlpEvent     `json:"events,omitempty"`
		Links      []otlpLink      `json:"links,omitempty"`
		Status     *otlpStatus     `json:"status,omitempty"`
	}
	otlpEvent struct {
		Time       int64           `json:"timeUnixNano,string"`
		Name       string          `json:"name"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
	}
	otlpLink struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
	}
	otlpStatus struct {
		Message string `json:"message,omitempty"`
		Code    int    `json:"code"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		Text   *string    `json:"stringValue,omitempty"`
		Number *int64     `json:"intValue,string,omitempty"`
		Truth  *bool      `json:"boolValue,omitempty"`
		List   *otlpArray `json:"arrayValue,omitempty"`
	}
	otlpArray struct {
		Values []otlpValue `json:"values"`
	}
)

func attribute(key string, value any) otlpAttribute {
	return otlpAttribute{key, otlpValueOf(value)}
}

func otlpValueOf(value any) otlpValue {
	switch v := value.(type) {
	case bool:
		return otlpValue{Truth: &v}
	case int64:
		return otlpValue{Number: &v}
	case []string:
		list := &otlpArray{Values: make([]otlpValue, 0, len(v))}
		for _, text := range v {
			list.Values = append(list.Values, otlpValueOf(text))
		}
		return otlpValue{List: list}
	}
	text := strings.ToValidUTF8(fmt.Sprint(value), "\ufffd")
	return otlpValue{Text: &text}
}

// some leaves out attributes that say nothing.
func some(all ...otlpAttribute) []otlpAttribute {
	return slices.DeleteFunc(all, func(a otlpAttribute) bool { return a.Value.Text != nil && *a.Value.Text == "" })
}
