package reports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parity/gateway/report"
)

const (
	tracesPath    = "/v1/traces"
	spansAtOnce   = 1000 // some megabytes; a collector takes 20 by default
	collectorTime = 10 * time.Second

	// CollectorHeaders is the variable that has what a collector wants to know of
	// who sends.
	CollectorHeaders = "OTEL_EXPORTER_OTLP_HEADERS"
)

// collector is where one takes traces: at the path that the protocol has for
// them, below the address that is given, as OTEL_EXPORTER_OTLP_ENDPOINT has it.
func collector(u *url.URL) *url.URL {
	if strings.HasSuffix(u.Path, tracesPath) {
		return u
	}
	return u.JoinPath(tracesPath)
}

// export sends traces to a collector, with further headers written as
// that variable has them: name=value,name=value.
func export(ctx context.Context, to *url.URL, headers string, doc []byte) error {
	header, err := otlpHeaders(headers)
	if err != nil {
		return err
	}
	parts, err := report.OTLPParts(doc, spansAtOnce)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: collectorTime}
	defer client.CloseIdleConnections()
	for _, part := range parts {
		if err := send(ctx, client, to, header, part); err != nil {
			return err
		}
	}
	return nil
}

func otlpHeaders(text string) (http.Header, error) {
	header := http.Header{"Content-Type": {"application/json"}}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		plain, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || err != nil {
			return nil, errors.New(CollectorHeaders + " is written name=value,name=value, with %2C for a comma within one")
		}
		header.Set(strings.TrimSpace(name), plain)
	}
	return header, nil
}

func send(ctx context.Context, client *http.Client, to *url.URL, header http.Header, part []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(part))
	if err != nil {
		return err
	}
	r.Header = header
	reply, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("%w; collectors take OTLP over HTTP at port 4318 by default", err)
	}
	defer reply.Body.Close()
	said, err := io.ReadAll(io.LimitReader(reply.Body, 1<<16))
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("the collector answers %s: %s", reply.Status, strconv.Quote(string(said[:min(len(said), 200)])))
	}
	var result struct {
		Partial struct {
			Rejected json.Number `json:"rejectedSpans"`
			Message  string      `json:"errorMessage"`
		} `json:"partialSuccess"`
	}
	if err := json.Unmarshal(said, &result); err == nil && result.Partial.Rejected != "" && result.Partial.Rejected != "0" {
		return fmt.Errorf("the collector refuses %s spans: %s", result.Partial.Rejected, strconv.Quote(result.Partial.Message))
	}
	return nil // what it says besides is for nobody
}
