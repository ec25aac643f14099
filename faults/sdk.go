package faults

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/faults/trail"
)

// SDKTries is how many attempts official SDKs make by themselves of one call (of
// Stripe, OpenAI, Anthropic and Notion): the first, and two retries. All have to
// fail for an agent to see it.
const SDKTries = 3

// SDKPause is the least that an SDK waits before it retries by itself: those of
// Stripe begin with half a second, less a part that they draw.
const SDKPause = 150 * time.Millisecond

// SDKKey tells an idempotency key that an SDK makes up for retries of its own:
// stripe-node's begins so.
func SDKKey(key string) bool { return strings.HasPrefix(key, "stripe-node-retry-") }

// SDKRetries tells, by the User-Agent, an SDK that retries by itself without
// saying so: Stripe's call themselves Stripe/v1 PythonBindings/12.0.0.
func SDKRetries(agent string) bool { return strings.Contains(agent, "Bindings/") }

// ShouldRetry is what an answer tells SDKs about a retry, where it says so: those
// of Stripe's go by Stripe-Should-Retry.
func ShouldRetry(header []trail.Field) (should, said bool) {
	for _, f := range header {
		if f.Name == "Stripe-Should-Retry" {
			return !strings.EqualFold(f.Value, "false"), true
		}
	}
	return false, false
}

// sdkRetry reads which retry of its own an SDK declares a call to be; 0: the
// first try, or it declares nothing.
//
//	X-Stainless-Retry-Count: 1                         SDKs that Stainless makes (OpenAI, Anthropic)
//	X-Retry-Count: 1                                   Segment
//	Grpc-Previous-Rpc-Attempts: 1                      gRPC
//	Amz-Sdk-Request: attempt=2; max=3                  AWS
//	X-Goog-Api-Client: … gccl-attempt-count/2          Google Cloud
//
// Sources: github.com/stainless-api, segment.com/docs/connections/sources,
// github.com/grpc/proposal (A6), the AWS SDKs' retry middleware,
// google.golang.org/api/internal/gensupport.
func sdkRetry(header http.Header) int {
	if len(header) == 0 {
		return 0
	}
	for _, name := range [...]string{"X-Stainless-Retry-Count", "X-Retry-Count", "Grpc-Previous-Rpc-Attempts"} {
		if said := header[name]; len(said) > 0 {
			if n := number(said[0]); n > 0 {
				return n
			}
		}
	}
	if len(header["Amz-Sdk-Request"]) == 0 && len(header["X-Goog-Api-Client"]) == 0 {
		return 0
	}
	for part := range strings.SplitSeq(header.Get("Amz-Sdk-Request"), ";") {
		if n, ok := strings.CutPrefix(strings.TrimSpace(part), "attempt="); ok {
			return max(0, number(n)-1)
		}
	}
	if _, n, ok := strings.Cut(header.Get("X-Goog-Api-Client"), "gccl-attempt-count/"); ok {
		n, _, _ = strings.Cut(n, " ")
		return max(0, number(n)-1)
	}
	return 0
}

// number reads a count; 0 where it is none that an SDK would give.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1000 {
		return 0
	}
	return n
}
