package profiles

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"parity/specs/words"
)

// differenceText is a known difference as a profile of the library writes it.
type differenceText struct {
	Covers               any
	Production, Here, So string
	Weakens              []string
}

// explainDifference is what there is to say of a known difference of the library, by
// its name, as verdicts and reports name it; nil: there is none of that name.
func explainDifference(name string) *Topic {
	for _, profile := range Library() {
		content, err := library.ReadFile(path.Join("library", profile+".yaml"))
		if err != nil || !strings.Contains(string(content), "\n  "+name+":\n") {
			continue
		}
		var text struct{ Differences map[string]differenceText }
		if err := yaml.Unmarshal(content, &text); err != nil {
			continue
		}
		if d, ok := text.Differences[name]; ok && d.Production != "" {
			return d.topic(profile, name)
		}
	}
	return nil
}

func (d differenceText) topic(profile, name string) *Topic {
	var covers []string
	switch x := d.Covers.(type) {
	case string:
		covers = []string{x}
	case []any:
		for _, one := range x {
			if call, ok := one.(string); ok {
				covers = append(covers, call)
			}
		}
	}
	return &Topic{
		Name: name, Kind: "difference", Doc: "A known difference from production, of the profile " + profile + ".",
		Notes: []string{
			"Covers: " + strings.Join(covers, ", "), "In production: " + d.Production, "Here: " + d.Here, "So: " + d.So,
			"A verdict that rests on " + words.And(d.Weakens) + " of one of these calls is not evaluated.",
		},
	}
}
