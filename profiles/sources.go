package profiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	Behaviour string            `json:"behaviour,omitempty"` // the behaviour file's name; "": there is none
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

// pieces is the first line of Sources in one file. The contents follow it, one
// right after the other.
type pieces struct {
	List  json.RawMessage `json:"list"`
	Sizes []piece         `json:"sizes"`
}

type piece struct {
	Hash string `json:"hash"`
	Size int    `json:"size"`
}

// write writes Sources as one file.
func (s Sources) write(to io.Writer) error {
	list, contents := s.Pack()
	p := pieces{List: list}
	for _, hash := range slices.Sorted(maps.Keys(contents)) {
		p.Sizes = append(p.Sizes, piece{hash, len(contents[hash])})
	}
	if err := json.NewEncoder(to).Encode(p); err != nil {
		return err
	}
	for _, one := range p.Sizes {
		if _, err := to.Write(contents[one.Hash]); err != nil {
			return err
		}
	}
	return nil
}

// readSources reads what write wrote.
func readSources(content []byte) (Sources, error) {
	line, rest, _ := bytes.Cut(content, []byte("\n"))
	var p pieces
	if err := json.Unmarshal(line, &p); err != nil {
		return nil, fmt.Errorf("contracts: %w", err)
	}
	contents := map[string][]byte{}
	for _, one := range p.Sizes {
		if one.Size < 0 || one.Size > len(rest) {
			return nil, errors.New("contracts: they are not kept whole")
		}
		contents[one.Hash], rest = rest[:one.Size:one.Size], rest[one.Size:]
		if hashOf(contents[one.Hash]) != one.Hash {
			return nil, errors.New("contracts: they are not as they were kept")
		}
	}
	return Unpack(p.List, func(hash string) ([]byte, bool) {
		found, ok := contents[hash]
		return found, ok
	})
}
