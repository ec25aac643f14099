package profiles

import (
	"go.yaml.in/yaml/v4"

	"parity/faults/trail"
)

// widest is about how many columns what is to be pasted takes on a terminal.
const widest = 76

// Declare writes differences as they stand in a profile, to be pasted into one:
// under differences:, or with that key into one that has none. None gives "".
func Declare(all []trail.Proposal) string {
	if len(all) == 0 {
		return ""
	}
	table := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, p := range all {
		d := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{
			textNode("covers"), texts(p.Covers), textNode("production"), textNode(p.Production), textNode("here"), textNode(p.Here),
			textNode("so"), textNode(p.So), textNode("weakens"), texts(p.Weakens),
		}}
		table.Content = append(table.Content, textNode(p.Name), d)
	}
	top := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{textNode("differences"), table}}
	text, err := yaml.Dump(top, yaml.WithIndent(2), yaml.WithLineWidth(widest))
	if err != nil {
		return "" // texts, and lists and maps of them: there is none that cannot be written
	}
	return string(text)
}

func texts(all []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
	for _, s := range all {
		n.Content = append(n.Content, textNode(s))
	}
	return n
}
