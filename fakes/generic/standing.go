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

// tenants finds the accounts that a service is divided into: most operations are
// below one, and clients are set up with its id, as they are with a credential.
func (f *Fake) tenants() {
	below := map[*resource]int{}
	for _, operation := range f.api.Operations {
		role := f.model.Roles[operation]
		if role == nil || f.res[role.Resource] == nil {
			continue
		}
		for r := f.res[role.Resource].parent; r != nil; r = r.parent {
			below[r]++
		}
	}
	for r, n := range below {
		r.tenant = !r.Singleton && r.kept() && len(r.Within) == 0 && n*2 > len(f.api.Operations) && dividing().MatchString(r.Name)
	}
}

// dividing matches what services call an account of theirs.
var dividing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(account|organi[sz]ation|org|workspace|tenant|compan|team|merchant|business|project|customer|client|site|space|store|budget|plan|domain|environment|installation|instance|subscription|realm)`)
})

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
