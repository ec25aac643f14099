package sdktest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// What the fakes answered to the SDKs is judged by a validator that is not
// Parity's own, kin-openapi: by our contracts, and by the vendors' where they
// are at hand.

// judged counts replies, by service and whose contract it was.
var judged = struct {
	sync.Mutex
	valid map[string]int
	wrong map[string]int
	calls map[string]map[string]bool // by service: the operations that were called
}{valid: map[string]int{}, wrong: map[string]int{}, calls: map[string]map[string]bool{}}

// tellJudged prints the counts.
func tellJudged() {
	judged.Lock()
	defer judged.Unlock()
	for _, of := range slices.Sorted(maps.Keys(judged.valid)) {
		fmt.Printf("judged by kin-openapi: %s contract: %d replies valid, %d not\n", of, judged.valid[of], judged.wrong[of])
	}
	for _, service := range slices.Sorted(maps.Keys(judged.calls)) {
		fmt.Printf("called by an SDK: %s: %d operations\n", service, len(judged.calls[service]))
		if testing.Verbose() {
			fmt.Println("    " + strings.Join(slices.Sorted(maps.Keys(judged.calls[service])), "\n    "))
		}
	}
}

// vendorFiles are the vendors' contracts that kin-openapi can read.
var vendorFiles = map[string]string{
	"stripe": "stripe.json.gz", "github": "github.json.gz", "sendgrid": "sendgrid.json.gz", "notion": "notion.json.gz",
}

// excused are replies that the vendor's contract does not describe, and the
// service gives all the same, by operation and status.
var excused = map[string]string{
	"notion GET /v1/users/me 200":                           "an empty schema takes null in OpenAPI 3.1; kin-openapi has it refuse it",
	"sendgrid POST /v3/templates 201":                       "ids of dynamic templates are d- and 32 digits, and no UUIDs",
	"sendgrid GET /v3/templates 200":                        "the same",
	"sendgrid GET /v3/templates/{template_id} 200":          "the same",
	"sendgrid PATCH /v3/templates/{template_id} 200":        "the same",
	"sendgrid GET /v3/messages/{msg_id} 200":                "ids are longer than it says, and what a mail has not is empty",
	"sendgrid POST /v3/mail/send 400":                       "help is text, and no object",
	"sendgrid POST /v3/mail/send 401":                       "help is null, and no object",
	"sendgrid POST /v3/mail/send 403":                       "help is null, and no object",
	"sendgrid POST /v3/mail/send 500":                       "help is null, and no object",
	"github PUT /repos/{owner}/{repo}/contents/{+path} 409": "a choice of two shapes, of which an ordinary error fits both",
}

// documents are contracts by file, each read once.
var documents sync.Map

type operations map[string]*openapi3.Operation

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// judge holds the replies of a gateway's runs against the contracts.
func (g *gateway) judge(t *testing.T) {
	t.Helper()
	for line := range strings.Lines(string(g.ask(t, "trace", "-o", "json"))) {
		var event struct {
			Exchange *struct {
				Service, Operation, Fidelity, Query string
				Status                              int
				Body                                json.RawMessage
				ReplyBody                           json.RawMessage                `json:"reply_body"`
				ReplyHeader                         []struct{ Name, Value string } `json:"reply_header"`
			}
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		x := event.Exchange
		if x == nil || x.Fidelity != "modelled" || x.Operation == "" {
			continue
		}
		judged.Lock()
		if judged.calls[x.Service] == nil {
			judged.calls[x.Service] = map[string]bool{}
		}
		judged.calls[x.Service][x.Operation] = true
		judged.Unlock()
		kind := ""
		for _, h := range x.ReplyHeader {
			if h.Name == "Content-Type" {
				kind = h.Value
			}
		}
		if !strings.Contains(kind, "json") || len(x.ReplyBody) == 0 {
			continue
		}
		expanded := strings.Contains(x.Query+string(x.Body), "expand")
		for whose, all := range contracts(t, x.Service) {
			if expanded && whose == "our" {
				continue // x-parity-expand says what plain OpenAPI cannot: a record in place of its id
			}
			method, path, _ := strings.Cut(x.Operation, " ")
			wrong := all.check(method, path, x.Status, x.ReplyBody)
			_, known := excused[fmt.Sprintf("%s %s %d", x.Service, x.Operation, x.Status)]
			judged.Lock()
			if wrong == nil {
				judged.valid[x.Service+", "+whose]++
			} else if whose == "our" || !known {
				judged.wrong[x.Service+", "+whose]++
				t.Errorf("%s %s: %d is not as %s contract has it: %v\n%.600s", x.Service, x.Operation, x.Status, whose, wrong, x.ReplyBody)
			}
			judged.Unlock()
		}
	}
}

// check judges a reply; nil where it is valid, or where the contract says
// nothing of it.
func (o operations) check(method, path string, status int, body []byte) error {
	op := o[method+" "+parameter.ReplaceAllString(path, "{}")]
	if op == nil || op.Responses == nil {
		return nil
	}
	response := op.Responses.Status(status)
	if response == nil {
		if response = op.Responses.Default(); response == nil {
			return nil
		}
	}
	media := response.Value.Content.Get("application/json")
	if media == nil || media.Schema == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	return media.Schema.Value.VisitJSON(value, openapi3.VisitAsResponse())
}

// contracts gives those that a service's replies are to fit.
func contracts(t *testing.T, service string) map[string]operations {
	t.Helper()
	found := map[string]operations{}
	if ours := document(t, filepath.Join("..", "..", "specs", service, "openapi.yaml")); ours != nil {
		found["our"] = ours
	}
	root := os.Getenv("PARITY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	if file := vendorFiles[service]; file != "" {
		if theirs := document(t, filepath.Join(root, "contracts", file)); theirs != nil {
			found["the vendor's"] = theirs
		}
	}
	return found
}

// document reads a contract; nil where there is none.
func document(t *testing.T, file string) operations {
	t.Helper()
	read, _ := documents.LoadOrStore(file, sync.OnceValue(func() operations {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil
		}
		if strings.HasSuffix(file, ".gz") {
			reader, err := gzip.NewReader(bytes.NewReader(text))
			if err != nil {
				return nil
			}
			if text, err = io.ReadAll(reader); err != nil {
				return nil
			}
		}
		loaded, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Logf("%s is not judged by: %v", filepath.Base(file), err)
			return nil
		}
		all := operations{}
		for path, item := range loaded.Paths.Map() {
			for method, op := range item.Operations() {
				shape := parameter.ReplaceAllString(path, "{}")
				all[method+" "+shape] = op
				if strings.Contains(file, "sendgrid") {
					all[method+" /v3"+shape] = op // which its server's address has
				}
			}
		}
		return all
	}))
	return read.(func() operations)()
}
