package profiles

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"parity/fakes/chance"
)

// Sources are the contracts and behaviour files of a profile's own services, by
// service: all that was read, so that the profile can be read again without its
// files. Its zero value is none.
type Sources map[string]Source

// Source is what one service was read from.
type Source struct {
	Contract  string            `json:"contract"`            // the contract's own file, one of Files
	Files     map[string][]byte `json:"-"`                   // by their names from the contract's folder
	Behaviour string            `json:"behaviour,omitempty"` // as problems name it; "": there is none
	Rules     []byte            `json:"-"`                   // the behaviour file's content
}

// packed is a Source without contents, which are known by their hashes.
type packed struct {
	Source
	Hashes map[string]string `json:"files"`
	Rules  string            `json:"rules,omitempty"`
}

// Pack gives Sources as a small list, and apart from it the contents that it
// names, by hash: versions of a profile share what they have in common. The
// caller must not change them.
func (s Sources) Pack() (list []byte, contents map[string][]byte) {
	contents = map[string][]byte{}
	put := func(content []byte) string {
		hash := hashOf(content)
		contents[hash] = content
		return hash
	}
	all := map[string]packed{}
	for service, source := range s {
		p := packed{Source: source, Hashes: map[string]string{}}
		for name, content := range source.Files {
			p.Hashes[name] = put(content)
		}
		if source.Behaviour != "" {
			p.Rules = put(source.Rules)
		}
		all[service] = p
	}
	list, err := json.Marshal(all)
	if err != nil { // of texts: it cannot fail
		panic(err)
	}
	return list, contents
}

// Unpack reads what Pack gave; content finds a content by its hash.
func Unpack(list []byte, content func(hash string) ([]byte, bool)) (Sources, error) {
	var all map[string]packed
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, fmt.Errorf("contracts: %w", err)
	}
	s := Sources{}
	for service, p := range all {
		source := p.Source
		source.Files = map[string][]byte{}
		for name, hash := range p.Hashes {
			found, ok := content(hash)
			if !ok {
				return nil, fmt.Errorf("contracts: %s of %s is not there", name, service)
			}
			source.Files[name] = found
		}
		if p.Source.Behaviour != "" {
			found, ok := content(p.Rules)
			if !ok {
				return nil, fmt.Errorf("contracts: %s of %s is not there", p.Behaviour, service)
			}
			source.Rules = found
		}
		s[service] = source
	}
	return s, nil
}

// Hash digests the Sources by their content; "" for none.
func (s Sources) Hash() string {
	if len(s) == 0 {
		return ""
	}
	list, _ := s.Pack()
	return chance.Hash(string(list))[:16]
}

// document is Sources in one piece, for a file.
func (s Sources) document() ([]byte, error) {
	list, contents := s.Pack()
	return json.Marshal(pieces{List: list, Contents: contents})
}

type pieces struct {
	List     json.RawMessage   `json:"list"`
	Contents map[string][]byte `json:"contents"`
}

// readSources reads what document wrote.
func readSources(content []byte) (Sources, error) {
	var p pieces
	if err := json.Unmarshal(content, &p); err != nil {
		return nil, fmt.Errorf("contracts: %w", err)
	}
	return Unpack(p.List, func(hash string) ([]byte, bool) {
		found, ok := p.Contents[hash]
		return found, ok
	})
}

// names lists the files of a Source, sorted.
func (s Source) names() []string { return slices.Sorted(maps.Keys(s.Files)) }
