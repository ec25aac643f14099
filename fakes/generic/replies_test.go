package generic_test

import (
	"net/http"
	"strings"
	"testing"
)

const work = `
paths:
  /send:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {to: {type: string}, text: {type: string}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [id, state], properties: {id: {type: string}, state: {type: string}}}}}}}
  /score:
    put:
      requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}, mode: {type: string}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [text, score], properties: {text: {type: string}, score: {type: integer}, error_code: {type: string}}}}}}}
  /tasks/{taskID}:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, required: [status], properties: {status: {type: string, enum: [notPublished, published]}, error: {type: string}, taskID: {type: string}}}}}}}}
  /reports/{id}:
    get:
      responses:
        '200':
          description: ok
          headers: {Content-Encoding: {required: true, schema: {type: string, example: gzip}}, X-Kind: {required: true, schema: {type: string, example: report}}}
          content:
            application/json: {schema: {type: object, properties: {id: {type: string}}}}
            text/plain: {schema: {type: string}}
`

// What was sent stood in no reply, and was kept nowhere.
func TestWhatIsSentAndNotReadAgainIsEchoedAndKept(t *testing.T) {
	t.Parallel()
	r := play(t, work)
	want(t, r.must(200, r.put("/score", `{"text":"mine","mode":"m"}`)), map[string]any{"text": "mine", "mode": nil})
	r.must(200, r.post("/send", `{"to":"ada","text":"hello"}`))
	kept := ""
	for record := range r.world.Begin().Oldest("shop.send", 0) {
		kept += asJSON(record.Value())
	}
	if !strings.Contains(kept, `"to":"ada"`) {
		t.Errorf("kept is %s", kept)
	}
}

// Whoever polled a task polled for ever, or read that it had failed.
func TestATaskThatNobodyMadeIsDone(t *testing.T) {
	t.Parallel()
	r := play(t, work)
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		want(t, r.must(200, r.get("/tasks/"+id)), map[string]any{"status": "published", "error": nil})
	}
	want(t, r.put("/score", `{"text":"mine"}`), map[string]any{"error_code": nil})
}

func TestAReplyIsOfTheKindThatIsLikedBest(t *testing.T) {
	t.Parallel()
	r := play(t, work)
	for accept, wanted := range map[string]string{
		"":                                     "application/json",
		"*/*":                                  "application/json",
		"text/plain":                           "text/plain",
		"text/plain;q=0.5, application/json":   "application/json",
		"application/json;q=0.1, text/*;q=0.9": "text/plain",
		"image/png":                            "application/json",
		"application/json;q=0, */*":            "text/plain",
	} {
		got := r.send("GET", "/reports/1", "", http.Header{"Accept": {accept}})
		if kind, _, _ := strings.Cut(got.header.Get("Content-Type"), ";"); kind != wanted {
			t.Errorf("Accept: %s is answered with %s", accept, kind)
		}
		if got.header.Get("Content-Encoding") != "" || got.header.Get("X-Kind") == "" {
			t.Errorf("the headers are %v", got.header)
		}
	}
}

// Of a batch that nothing is understood of one was answered, or three.
func TestAListThatIsSentGetsAsManyAnswers(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /mails/batch:
    post:
      requestBody: {content: {application/json: {schema: {type: array, items: {type: object, properties: {to: {type: string}}}}}}}
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {type: object, required: [id], properties: {id: {type: string}}}}}}}}}}
`)
	ids := strings.Fields(r.must(200, r.post("/mails/batch", `[{"to":"a"},{"to":"b"},{"to":"c"},{"to":"d"}]`)).column("data", "id"))
	met := map[string]bool{}
	for _, id := range ids {
		met[id] = true
	}
	if len(met) != 4 {
		t.Errorf("the answers are %v", ids)
	}
}
