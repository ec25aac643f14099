package github

import (
	"slices"
	"strings"

	"parity/fakes/kit"
)

// Levels of access to a repository, from the lowest up.
const (
	levelRead     = "read"
	levelTriage   = "triage"
	levelWrite    = "write"
	levelMaintain = "maintain"
	levelAdmin    = "admin"
)

var levels = []string{"", levelRead, levelTriage, levelWrite, levelMaintain, levelAdmin}

func atLeast(have, want string) bool { return slices.Index(levels, have) >= slices.Index(levels, want) }

// permission is the access that an account has to a repository, whatever its
// token allows.
func (c *call) permission(r repo, login string) string {
	open := levelRead
	if r.private() {
		open = ""
	}
	if login == "" {
		return open
	}
	if record, ok := c.get(collaborators, r.key()+"/"+strings.ToLower(login)); ok {
		return textOr(record.Value(), "permission", levelWrite)
	}
	if strings.EqualFold(r.owner(), login) {
		return levelAdmin
	}
	if role := c.role(r.owner(), login); role == "admin" {
		return levelAdmin
	} else if role != "" {
		return levelRead
	}
	return open
}

// role is an account's role in an organisation; "" where it has none.
func (c *call) role(org, login string) string {
	record, ok := c.get(members, slug(org, login))
	if !ok || kit.Text(record.Value(), "state") == "pending" {
		return ""
	}
	return textOr(record.Value(), "role", "member")
}

// access is what the caller may do in a repository: a token that nobody
// declared may do everything, unless its access is on record.
func (c *call) access(r repo) string {
	if c.viewer != "" && !c.known {
		if record, ok := c.get(collaborators, r.key()+"/"+strings.ToLower(c.viewer)); ok {
			return textOr(record.Value(), "permission", levelWrite)
		}
		return levelAdmin
	}
	return c.permission(r, c.viewer)
}

// sees tells whether a repository is there for the caller. A private one is
// not, without access or without the scope for it: GitHub answers 404 so as not
// to tell.
func (c *call) sees(r repo) bool {
	return c.access(r) != "" && (!r.private() || c.hasScope("repo"))
}

// scoped tells whether the caller's token may write to a repository.
func (c *call) scoped(r repo) bool {
	if r.private() {
		return c.hasScope("repo")
	}
	if strings.Contains(c.id, "webhook") && c.hasScope("admin:repo_hook") || strings.Contains(c.id, "status") && c.hasScope("repo:status") {
		return true
	}
	return c.hasScope("public_repo")
}

// may tells whether the caller, with its token, has a level of access.
func (c *call) may(r repo, level string) bool {
	return c.viewer != "" && atLeast(c.access(r), level) && c.scoped(r)
}

// belongs tells whether a repository is among those of the caller: as its
// owner, a collaborator or a member of its organisation.
func (c *call) belongs(r repo) bool {
	return strings.EqualFold(r.owner(), c.viewer) || c.role(r.owner(), c.viewer) != "" || c.permission(r, c.viewer) != levelRead && c.permission(r, c.viewer) != ""
}

// permissions shows a level as the five flags that lists carry.
func permissions(level string) map[string]any {
	shown := map[string]any{}
	for flag, wants := range map[string]string{"admin": levelAdmin, "maintain": levelMaintain, "push": levelWrite, "triage": levelTriage, "pull": levelRead} {
		shown[flag] = atLeast(level, wants)
	}
	return shown
}

// association tells how an account stands to a repository.
func (c *call) association(r repo, login string) string {
	if login == "" {
		return "NONE"
	}
	if strings.EqualFold(r.owner(), login) {
		return "OWNER"
	}
	if told, ok := c.Tx.Get(viewersCollection, standing(r, login)); ok {
		return kit.Text(told.Value(), "association")
	}
	if c.role(r.owner(), login) != "" || c.isOrg(r.owner()) && strings.EqualFold(login, c.viewer) && !c.known && c.access(r) == levelAdmin {
		return "MEMBER"
	}
	if record, ok := c.get(collaborators, r.key()+"/"+strings.ToLower(login)); ok && atLeast(kit.Text(record.Value(), "permission"), levelTriage) {
		return "COLLABORATOR"
	}
	if c.contributed(r, login) {
		return "CONTRIBUTOR"
	}
	return "NONE"
}

// sorted puts a list in the order of a text of each, keeping the order of those
// that have the same. Most lists are in order already.
func sorted[T any](all []T, down bool, by func(T) string) {
	keys := make([]string, len(all))
	ordered := true
	for i, one := range all {
		keys[i] = by(one)
		if i > 0 && (down && keys[i] > keys[i-1] || !down && keys[i] < keys[i-1]) {
			ordered = false
		}
	}
	if ordered {
		return
	}
	at := make([]int, len(all))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int {
		if down {
			return strings.Compare(keys[b], keys[a])
		}
		return strings.Compare(keys[a], keys[b])
	})
	was := slices.Clone(all)
	for i, from := range at {
		all[i] = was[from]
	}
}
