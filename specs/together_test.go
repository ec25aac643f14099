package specs

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	plausible "parity/specs/sample"
)

// Everything that is made on its first use is made by whoever comes first.
func TestAFreshContractIsUsedByManyAtOnce(t *testing.T) {
	t.Parallel()
	for _, service := range []string{"stripe", "acme-crm"} {
		c, _, err := Load(os.DirFS(service), "openapi.yaml", service)
		if err != nil {
			t.Fatal(err)
		}
		var library plausible.Library
		var all sync.WaitGroup
		for worker := range 8 {
			all.Go(func() {
				for i := range c.Operations {
					op := c.Operations[(i+worker*3)%len(c.Operations)]
					c.Match(op.Method, strings.NewReplacer("{", "", "}", "").Replace(op.Path))
					in, _ := op.Read(Request{Query: "limit=1&api_key=x", Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"name": "n"}`)})
					op.Undeclared(in)
					op.Redact(in.Content(), Plainly)
					op.Secrets(in.Query)
					op.CheckReply(200, "application/json", []byte(`{"id": 1}`))
					if b, _ := op.Source().Body(); b != nil {
						for _, m := range b.Content {
							(&plausible.Maker{Library: &library}).Value(m.Schema, fmt.Sprint(i))
						}
					}
				}
				if worker == 0 {
					c.Check()
				}
				c.Model()
			})
		}
		all.Wait()
	}
}
