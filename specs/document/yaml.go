package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

const (
	columnBits = 11
	maxColumn  = 1<<columnBits - 1
	maxLine    = 1<<(32-columnBits) - 1
	maxYAML    = 32 << 20 // bytes: the library needs some thirty times as much memory
)

func (p *parser) yaml(data []byte) error {
	if len(data) > maxYAML {
		return fmt.Errorf("1:1: a YAML file has at most %d bytes; write it as JSON", maxYAML)
	}
	p.file.yaml = true
	deep := loaderlimits.DepthFunc(func(depth int, _ *yaml.DepthContext) error {
		if depth > maxDepth {
			return fmt.Errorf("nested more than %d deep", maxDepth)
		}
		return nil
	})
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(loaderlimits.New(deep)))
	if err != nil {
		return fmt.Errorf("1:1: %w", err)
	}
	var first, second yaml.Node
	if err := loader.Load(&first); errors.Is(err, io.EOF) {
		return fmt.Errorf("1:1: there is nothing in this file")
	} else if err != nil {
		return yamlError(err)
	}
	if err := loader.Load(&second); err == nil {
		p.problems = append(p.problems, Problem{
			File: p.file.name, Line: max(1, second.Line), Column: max(1, second.Column),
			Code: "second-document", Message: "a second document begins here; it is ignored",
		})
	}
	if len(first.Content) != 1 {
		return fmt.Errorf("1:1: there is nothing in this file")
	}
	if err := p.convert(&p.file.root, first.Content[0], 0); err != nil {
		return err
	}
	if k := p.file.root.kind; k != Object && k != Array {
		return fmt.Errorf("1:1: this is a plain text, not a document")
	}
	p.identify(&p.file.root)
	return nil
}

func yamlError(err error) error {
	var load *yaml.LoadError
	if errors.As(err, &load) {
		return fmt.Errorf("%d:%d: this is not YAML: %s", max(1, load.Mark.Line), max(1, load.Mark.Column), load.Message)
	}
	return fmt.Errorf("1:1: this is not YAML: %w", err)
}

func (p *parser) convert(n *Node, from *yaml.Node, depth int) error {
	place := uint32(min(max(1, from.Line), maxLine))<<columnBits | uint32(min(max(1, from.Column), maxColumn)) // bounded
	n.file, n.at = p.file, place
	if p.made++; p.made > maxNodes {
		return fmt.Errorf("%d:%d: it has more than %d values", from.Line, from.Column, maxNodes)
	}
	if p.within > 0 {
		if p.aliased++; p.aliased > maxAlias {
			return fmt.Errorf("%d:%d: its aliases stand for more than %d values", from.Line, from.Column, maxAlias)
		}
	}
	if depth > maxDepth {
		return fmt.Errorf("%d:%d: nested more than %d deep, or an alias inside itself", from.Line, from.Column, maxDepth)
	}
	switch from.Kind {
	case yaml.AliasNode:
		p.within++
		defer func() { p.within-- }()
		return p.convert(n, from.Alias, depth+1)
	case yaml.SequenceNode:
		n.kind = Array
		n.kids = make([]Node, len(from.Content))
		for i, item := range from.Content {
			if err := p.convert(&n.kids[i], item, depth+1); err != nil {
				return err
			}
		}
	case yaml.MappingNode:
		return p.mapping(n, from, depth)
	default:
		scalar(n, from)
	}
	return nil
}

func (p *parser) mapping(n *Node, from *yaml.Node, depth int) error {
	n.kind = Object
	n.kids = make([]Node, 0, len(from.Content)/2)
	var merged []Node
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		for key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		var kid Node
		if err := p.convert(&kid, value, depth+1); err != nil {
			return err
		}
		if key.ShortTag() == "!!merge" {
			if kid.kind == Array {
				for j := range kid.kids {
					merged = append(merged, kid.kids[j].kids...)
				}
			} else {
				merged = append(merged, kid.kids...)
			}
			continue
		}
		kid.Name = key.Value
		p.external(&kid)
		n.kids = append(n.kids, kid)
	}
	p.doubled(n)
	if len(merged) == 0 {
		return nil
	}
	own := make(map[string]bool, len(n.kids))
	for i := range n.kids {
		own[n.kids[i].Name] = true
	}
	for _, kid := range merged {
		if !own[kid.Name] {
			own[kid.Name] = true
			n.kids = append(n.kids, kid)
		}
	}
	return nil
}

func scalar(n *Node, from *yaml.Node) {
	n.text = from.Value
	switch from.ShortTag() {
	case "!!null":
		n.kind, n.text = Null, ""
	case "!!bool":
		n.kind = Bool
		n.text = strconv.FormatBool(strings.EqualFold(from.Value, "true"))
	case "!!int", "!!float":
		n.kind = Number
		if !isNumber(n.text) {
			plain(n, from)
		}
	default:
		n.kind = String
	}
}

// plain writes a number of YAML's other kinds (0x1F, 1_000, .5) as JSON does.
// What JSON has no number for (.inf, .nan) is text.
func plain(n *Node, from *yaml.Node) {
	var value any
	if err := from.Decode(&value); err == nil {
		switch v := value.(type) {
		case int, int64, uint64:
			n.text = fmt.Sprint(v)
			return
		case float64:
			if text := strconv.FormatFloat(v, 'g', -1, 64); isNumber(text) {
				n.text = text
				return
			}
		}
	}
	n.kind = String
}
