// Package oracle asks kin-openapi for a second opinion on a contract, and on
// requests and replies held against it.
//
// Contracts are read and judged by packages of this project. Two judges that
// were written apart are seldom wrong alike: where they disagree, one of them
// has a defect, or the document can be read in two ways. kin-openapi loads a
// whole document or nothing, which takes seconds where it is large, so nothing
// of this stands on the way of ordinary calls.
package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"

	"parity/specs/document"
)

// A Document is a contract as kin-openapi has it. Any number of goroutines may
// ask it.
type Document struct {
	source *document.Document
	doc    *openapi3.T
}

// Read hands a document that openapi.Read has seen to kin-openapi: the tree, so
// that files are those that were read already, and nothing else is looked for on
// disk or network. A Google discovery document is judged as it was translated.
// An error says why kin-openapi can do nothing with it, in its words.
func Read(source *document.Document) (d *Document, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, fmt.Errorf("kin-openapi panics: %v", p)
		}
	}()
	root := source.Root()
	data, err := json.Marshal(root.Value())
	if err != nil {
		return nil, err
	}
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	loader.ReadFromURIFunc = func(_ *openapi3.Loader, at *url.URL) ([]byte, error) {
		other := source.File(strings.TrimPrefix(at.Path, "/"))
		if at.Scheme != "" || at.Host != "" || other == nil {
			return nil, fmt.Errorf("%s is not among the contract's files", at)
		}
		return json.Marshal(other.Value())
	}
	place := &url.URL{Path: source.Name()}
	d = &Document{source: source, doc: &openapi3.T{}}
	if root.Get("swagger").Scalar() != "" {
		var old openapi2.T
		if err := json.Unmarshal(data, &old); err != nil {
			return nil, said(err)
		}
		if d.doc, err = openapi2conv.ToV3WithLoader(&old, loader, place); err != nil {
			return nil, said(err)
		}
		return d, nil
	}
	// Its own Load reads JSON as YAML, which takes minutes for a large document.
	if err := json.Unmarshal(data, d.doc); err != nil {
		return nil, said(err)
	}
	if err := loader.ResolveRefsIn(d.doc, place); err != nil {
		return nil, said(err)
	}
	return d, nil
}

// said is what kin-openapi says, in one line: the schema and the value that it
// quotes are left out.
func said(err error) error { return errors.New(line(err)) }

// longest bounds what is kept of one opinion, in bytes.
const longest = 300

func line(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\nSchema:")
	return document.Clip(string(bytes.Join(bytes.Fields([]byte(text)), []byte(" "))), longest)
}
