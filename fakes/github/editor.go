package github

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

var _ fakes.Reworder = (*Fake)(nil)

// colleague is who is said to have made a commit that the agent did not make.
const colleague = "monalisa"

// Subject names the record that a call is about, as the path leads to it. Files
// are no records: of contents it is the branch.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	c := f.call(fc)
	collection, id = c.subject()
	if collection == "" {
		return "", ""
	}
	record, ok := c.get(collection, id)
	if !ok {
		return "", ""
	}
	if r, found, _ := c.reach(); found && record.Value()["repo"] != nil && collection != secrets && kit.Text(record.Value(), "repo") != r.key() {
		return "", ""
	}
	return full(collection), id
}

func (c *call) subject() (collection, id string) {
	a := c.Operation.Anatomy
	member := strings.TrimPrefix(a.Member, "+")
	r, in, _ := c.reach()
	switch {
	case a.Collection == users:
		return users, c.accountAsked(member)
	case a.Collection == members && member == "username":
		return members, slug(c.path("org"), c.path(member))
	case a.Collection == secrets && member == "secret_name" && c.path("org") != "":
		return secrets, "org:" + strings.ToLower(c.path("org")) + "/" + strings.ToUpper(c.path(member))
	case !in:
		return c.byID(a.Collection, member)
	case a.Collection == repositories && strings.HasSuffix(c.Operation.Path, "}"):
		return repositories, r.key()
	case a.Collection == contents:
		return refs, refKey(r, heads+textOr(c.Input.Query, "ref", textOr(c.Input.Body, "branch", r.branch())))
	case member == "issue_number" && (a.Collection == issues || a.Collection == labels), member == "pull_number" && a.Collection == issues:
		return issues, issueKey(r.key(), c.pathNumber(member))
	case member == "milestone_number":
		return milestones, issueKey(r.key(), c.pathNumber(member))
	case a.Collection == labels && member == "name" && c.path("issue_number") == "":
		return labels, labelKey(r.key(), c.path(member))
	case a.Collection == collaborators && member == "username":
		return collaborators, r.key() + "/" + strings.ToLower(c.path(member))
	case a.Collection == secrets && member == "secret_name":
		return secrets, r.key() + "/" + strings.ToUpper(c.path(member))
	case a.Collection == refs && member == "branch":
		return refs, refKey(r, heads+c.path(member))
	case a.Collection == refs && member == "ref":
		return refs, refKey(r, "refs/"+strings.TrimPrefix(c.path(member), "refs/"))
	}
	return c.byID(a.Collection, member)
}

// contents is what the contract calls the collection of files.
const contents = "contents"

// accountAsked is the key of the account that a path names: the caller's own
// where it names none.
func (c *call) accountAsked(member string) string {
	if member == "" && c.Operation.Path != "/user" {
		return ""
	}
	if login := c.path(member); login != "" {
		return strings.ToLower(login)
	}
	return strings.ToLower(c.viewer)
}

// byID is a record whose id stands in the path: of the call's own collection,
// never of what a new record goes into.
func (c *call) byID(collection, member string) (string, string) {
	path := c.Operation.Path
	adds := c.Operation.Method == http.MethodPost && !strings.HasSuffix(path, "/moves") && !strings.HasSuffix(path, "/events") && !strings.HasSuffix(path, "/pings")
	if adds || !strings.HasSuffix(member, "_id") {
		return "", ""
	}
	return collection, c.path(member)
}

// Edit changes a record. Of a branch, "content" is the new content (in Base64,
// as GitHub takes it) of the file that the call's path names: it is committed.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	last, _ := time.Parse(time.RFC3339, kit.Text(record.Value(), "updated_at"))
	c := f.call(kit.After(fc, last, time.Second))
	if content, is := set["content"]; is && short == refs {
		text, _ := content.(string)
		return c.commitAs(kit.Text(record.Value(), "ref"), &text)
	}
	if short == labels && set["name"] != nil || set["id"] != nil || set["number"] != nil {
		return fmt.Errorf("github %s %s: what it is found by does not change", short, id)
	}
	err = f.store.Edit(fc.Tx, collection, id, set, func(value map[string]any) {
		if _, dated := record.Value()["updated_at"]; dated {
			value["updated_at"] = c.now()
		}
		if raw, ok := value["raw"].(map[string]any); ok { // what was seen of the real one is shown over all
			raw = maps.Clone(raw)
			for field := range set {
				if _, told := raw[field]; told {
					raw[field] = value[field]
				}
			}
			value["raw"] = raw
		}
		if _, was := set["state"]; was && short == issues {
			c.settle(value)
		}
	})
	if err == nil && short == issues {
		f.index.Note(c.Tx, id, record.Value(), c.Now)
	}
	return err
}

// settle says when an issue was closed.
func (c *call) settle(value map[string]any) {
	if value["state"] == stateClosed {
		value["closed_at"] = c.now()
		return
	}
	value["closed_at"] = nil
}

// commitAs commits a file's new content, or that it is gone, to a branch.
func (c *call) commitAs(ref string, content *string) error {
	r, ok, _ := c.reach()
	at := c.path("path")
	if !ok || at == "" {
		return errors.New("github: the call names no file; a branch has no content of its own")
	}
	tip, ok := c.ref(r, ref)
	o, known := c.objectOf(r, tip, commitKind)
	old, exists := c.walk(r, o.tree(), at)
	if !ok || !known || !exists || old.mode == treeMode {
		return fmt.Errorf("github: %s has no file %s", r.full(), at)
	}
	var with *entry
	message := "Delete " + at
	if content != nil {
		data, err := decode64(*content)
		if err != nil {
			return fmt.Errorf("github: content of %s: %w", at, err)
		}
		with, message = &entry{mode: old.mode, sha: c.putBlob(r, data)}, "Update "+at
	}
	who := person{name: colleague, email: colleague + "@users.noreply.github.com", at: c.Now, zone: "+0000"}
	sha := c.putCommit(r, c.edit(r, o.tree(), []change{{at, with}}), []string{tip}, who, who, message)
	c.setRef(r, ref, sha, commitKind)
	return nil
}

// Remove deletes a record, with what is in it where it is a repository. Of a
// branch to whose file the call leads, it deletes the file.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.call(fc)
	switch {
	case short == refs && c.path("path") != "":
		return c.commitAs(kit.Text(record.Value(), "ref"), nil)
	case short == repositories:
		c.emptied(repo{record.Value()})
	case short == issues:
		for _, many := range []string{issueComments, issueEvents, reviewComments} {
			for one := range f.store.Find(c.Tx, many, "repo", kit.Text(record.Value(), "repo")) {
				if cast.Int(one.Value()["number"]) == cast.Int(record.Value()["number"]) {
					c.remove(many, one.ID)
				}
			}
		}
		f.index.Note(c.Tx, id, record.Value(), c.Now)
	}
	c.remove(short, id)
	return nil
}

// Copy makes another record like one there is, made at the call's instant. What
// is found by a name cannot be there twice.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return "", err
	}
	if slices.Contains([]string{users, members, repositories, collaborators, labels, refs, seeds, secrets, stars, apps}, short) {
		return "", fmt.Errorf("github %s %s: what is found by its name cannot be there twice", short, id)
	}
	c := f.call(fc)
	value := maps.Clone(record.Value())
	delete(value, "node_id")
	for _, field := range []string{"created_at", "updated_at"} {
		if _, dated := value[field]; dated {
			value[field] = c.now()
		}
	}
	r, _ := c.byKey(kit.Text(value, "repo"))
	switch short {
	case issues:
		if pull, is := value["pull"].(map[string]any); is {
			pull = maps.Clone(pull)
			delete(pull, "node_id")
			pull["pid"] = c.newID(issues)
			value["pull"] = pull
		}
		return c.newIssue(r, value).ID, nil
	case milestones:
		n := c.nextMilestone(r)
		value["id"], value["number"], value["mid"] = issueKey(r.key(), n), n, c.newID(milestones)%1_000_000_000
	default:
		value["id"] = decimal(c.newID(short))
	}
	return c.create(short, value).ID, nil
}
