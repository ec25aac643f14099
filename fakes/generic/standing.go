package generic

import (
	"regexp"
	"strings"
	"sync"

	"parity/specs/anatomy"
	"parity/specs/openapi"
)

// Some ids mean a member that nobody makes, beside those that clients do, and
// the document tells of them where it speaks of the parameter:
//
//	"The root folder is always represented by the ID `0`."   ─▶ 0
//	"The user's id, or \"me\" for the current user."         ─▶ me

// mentioned gives the ids that the description of a member's parameter says mean
// one that is there.
func (r *resource) mentioned(operation *openapi.Operation, role *anatomy.Role) map[string]bool {
	if role.In != inPath {
		return nil
	}
	var all map[string]bool
	parameters, _ := operation.Parameters()
	for _, p := range parameters {
		if p.In != inPath || p.Name != role.Member {
			continue
		}
		said := strings.Join(strings.Fields(p.Node.Get("description").Text()), " ")
		for sentence := range strings.SplitSeq(said, ". ") {
			if !special().MatchString(sentence) || examples().MatchString(sentence) {
				continue
			}
			for _, found := range quoted().FindAllStringSubmatch(sentence, -1) {
				if id := found[1]; id != p.Name && !r.form.has(id) {
					if all == nil {
						all = map[string]bool{}
					}
					all[id] = true
				}
			}
		}
	}
	return all
}

var (
	special = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(root|default|current|currently|authenticated|your own|yourself|me|self|primary|last[- ]used|logged[- ]in)\b`)
	})
	examples = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(e\.g|example|such as|like)\b`) })
	quoted   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[`\"'“‘]([A-Za-z0-9@~_-]{1,16})[`\"'”’]") })
)
