package report

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"parity/faults/trail"
)

// received reads a document as a collector does: by the protocol's own messages,
// which know no field that is not in them. Before, it undoes in what the protocol
// differs from protobuf's JSON: ids are hex, and enums are numbers.
func received(t *testing.T, doc []byte) []*traces.Span {
	t.Helper()
	var plain any
	if err := json.Unmarshal(doc, &plain); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(protobuf(t, plain))
	if err != nil {
		t.Fatal(err)
	}
	var message traces.TracesData
	if err := protojson.Unmarshal(data, &message); err != nil {
		t.Fatalf("%v in %.3000s", err, doc)
	}
	return message.ResourceSpans[0].ScopeSpans[0].Spans
}

func protobuf(t *testing.T, v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = protobuf(t, v[i])
		}
	case map[string]any:
		for key, value := range v {
			switch key {
			case "traceId", "spanId", "parentSpanId":
				id, err := hex.DecodeString(value.(string))
				if want := map[string]int{"traceId": 16}[key]; err != nil || len(id) != max(want, 8) || len(bytes.Trim(id, "\x00")) == 0 {
					t.Errorf("%s is %s", key, value)
				}
				v[key] = base64.StdEncoding.EncodeToString(id)
			case "kind", "code":
				if _, number := value.(float64); !number {
					t.Errorf("%s is %v", key, value)
				}
			default:
				v[key] = protobuf(t, value)
			}
		}
	}
	return v
}

func textOf(s *traces.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

const agents = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// traced is a charge whose reply is lost, and its retry, in the agent's trace;
// then a call in none.
func traced() (Report, []trail.Event, map[uint64]trail.Settlement) {
	r := sample()
	failing(&r)
	r.Began = time.Unix(1_000, 0)
	r.Verdicts[0].Evidence = []uint64{3}
	wall := func(ms int) trail.Instant { return trail.At(r.Began.Add(time.Duration(ms) * time.Millisecond)) }
	x := func(attempt int, parent string, x trail.Exchange) *trail.Exchange {
		x.Service, x.Operation, x.Method, x.Host, x.Path, x.Status = "stripe", "POST /v1/refunds", "POST", "api.stripe.com", "/v1/refunds", 200
		x.Intent = trail.Intent{ID: "i", Attempt: attempt}
		x.Header = []trail.Field{{Name: "Traceparent", Value: parent}, {Name: "Tracestate", Value: "vendor=1"}, {Name: "User-Agent", Value: "agent/1"}}
		return &x
	}
	events := []trail.Event{
		{Seq: 1, Kind: trail.Started, Start: &trail.Start{}},
		{Seq: 2, Kind: trail.Exchanged, Exchange: x(1, agents, trail.Exchange{
			Query: "expand=x", Wire: trail.Wire{NoHead: true, End: trail.Reset}, Strikes: []trail.Strike{
				{Rule: "lose", Fault: "ambiguous-success", Phase: "after", Fired: true}, {Rule: "not", Fault: "latency", Why: "when: not so"},
			},
		})},
		{Seq: 3, Kind: trail.Exchanged, Exchange: x(2, agents, trail.Exchange{})},
		{Seq: 4, Kind: trail.Exchanged, Exchange: &trail.Exchange{Method: "WHAT", Host: "api.stripe.com", Path: "/x", Status: 503}},
	}
	return r, events, map[uint64]trail.Settlement{
		2: {Of: 2, Began: wall(100), Took: 50 * time.Millisecond, Proto: "HTTP/2.0"}, 3: {Of: 3, Wall: wall(300), Took: 100 * time.Millisecond, Proto: "HTTP/1.1"},
	}
}

func TestOTLPJoinsTheAgentsTrace(t *testing.T) {
	t.Parallel()
	r, events, settlements := traced()
	var out bytes.Buffer
	if err := OTLP(&out, r, events, settlements); err != nil {
		t.Fatal(err)
	}
	spans := received(t, out.Bytes())
	if len(spans) != 4 {
		t.Fatalf("%d spans", len(spans))
	}
	lost, again, alone, run := spans[0], spans[1], spans[2], spans[3]
	for _, s := range []*traces.Span{lost, again} {
		if hex.EncodeToString(s.TraceId) != agents[3:35] || hex.EncodeToString(s.ParentSpanId) != agents[36:52] || s.Flags != 0x301 || s.TraceState != "vendor=1" {
			t.Errorf("it does not join the agent's: %v", s)
		}
		if s.Kind != traces.Span_SPAN_KIND_SERVER || s.Name != "POST /v1/refunds" || textOf(s, "http.route") != "/v1/refunds" || textOf(s, "server.address") != "api.stripe.com" {
			t.Errorf("%v", s)
		}
	}
	if textOf(lost, "url.full") != "https://api.stripe.com/v1/refunds?expand=x" || textOf(lost, "network.protocol.version") != "2" || textOf(lost, "user_agent.original") != "agent/1" {
		t.Errorf("%v", lost.Attributes)
	}
	if lost.Status.GetCode() != traces.Status_STATUS_CODE_ERROR || textOf(lost, "error.type") != "reply lost (reset)" || strings.Contains(out.String(), "when: not so") {
		t.Errorf("its reply was lost: %v", lost)
	}
	if len(lost.Events) != 1 || lost.Events[0].Name != "parity.fault" || lost.EndTimeUnixNano-lost.StartTimeUnixNano != 50e6 {
		t.Errorf("%v", lost)
	}
	if again.Status != nil || again.StartTimeUnixNano != 1_000_200_000_000 || len(again.Links) != 2 || !bytes.Equal(again.Links[1].SpanId, lost.SpanId) ||
		len(again.Events) != 1 || again.Events[0].Name != "parity.verdict" {
		t.Errorf("it is the retry: %v", again)
	}
	if !bytes.Equal(alone.TraceId, run.TraceId) || !bytes.Equal(alone.ParentSpanId, run.SpanId) || alone.Name != "HTTP" ||
		textOf(alone, "http.request.method") != "_OTHER" || textOf(alone, "error.type") != "503" || alone.StartTimeUnixNano != again.EndTimeUnixNano {
		t.Errorf("it is in the run's own trace: %v", alone)
	}
	if len(run.Events) != 3 || run.ParentSpanId != nil || run.StartTimeUnixNano != 1_000_000_000_000 || run.EndTimeUnixNano != 1_001_200_000_000 || run.Status.GetCode() != 2 {
		t.Errorf("%v", run)
	}
}

// Whatever was sent, and however little is left of it, is a document that
// collectors read; in parts it is the same spans.
func TestOTLPIsReadByItsOwnMessages(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func() ([]trail.Event, map[uint64]trail.Settlement){"told": told, "tape": tape, "odd": odd} {
		for of, r := range samples() {
			events, settlements := make()
			var out bytes.Buffer
			if err := OTLP(&out, r, events, settlements); err != nil {
				t.Fatal(err)
			}
			whole := received(t, out.Bytes())
			docs, err := OTLPParts(out.Bytes(), 2)
			if err != nil {
				t.Fatal(err)
			}
			parts := 0
			for _, doc := range docs {
				parts += len(received(t, doc))
			}
			if parts != len(whole) || len(whole) < 2 {
				t.Errorf("%s, %s: %d spans, in parts %d", name, of, len(whole), parts)
			}
			for _, s := range whole {
				if s.EndTimeUnixNano < s.StartTimeUnixNano {
					t.Errorf("%s, %s: %s ends before it begins", name, of, s.Name)
				}
			}
		}
	}
}

func TestTraceParent(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		agents: true, " " + agents + " ": true, "01" + agents[2:] + "-more": true, agents + "-more": false, "ff" + agents[2:]: false, "": false,
		strings.ToUpper(agents): false, agents[:50]: false, "00-" + strings.Repeat("0", 32) + agents[35:]: false,
		agents[:36] + strings.Repeat("0", 16) + "-01": false, strings.Replace(agents, "a", "g", 1): false,
	} {
		if _, ok := parseTraceParent(header); ok != want {
			t.Errorf("%q: %v", header, ok)
		}
	}
}
