package github

import (
	"encoding/json"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Infer puts in what a recorded write takes for granted: who called, the
// repository that it wrote to, what its branches pointed to, the number that
// came before the new one.
func (f *Fake) Infer(fc *fakes.Call, status int, body []byte, made map[string]bool) {
	c := f.call(fc)
	a := importer{call: c}
	var value any
	if json.Unmarshal(body, &value) != nil {
		value = nil
	}
	shown, _ := world.Normalise(value).(map[string]any)
	if status/100 != 2 && status != 422 {
		return
	}
	a.caller(shown)
	r, ok := a.pathRepo(status)
	if !ok {
		return
	}
	if status == 422 {
		a.refusedFor(r, shown)
		return
	}
	a.stand(r, shown)
	if _, known := a.Tx.Get(countsCollection, r.key()+"/issues"); a.id == "issues/create" || a.id == "pulls/create" {
		n := cast.Int(shown["number"])
		if !known && n > 0 {
			_, err := a.Tx.Insert(countsCollection, r.key()+"/issues", map[string]any{"id": r.key() + "/issues", "last": n - 1})
			must(err)
		}
	}
	if a.id == "pulls/create" || a.id == "pulls/update" {
		a.side(r, cast.Object(shown["base"]))
		a.side(r, cast.Object(shown["head"]))
	}
	if a.id == "repos/add-collaborator" && status == 204 && a.isOrg(r.owner()) {
		a.join(r.owner(), a.path("username"), "member")
	}
	if strings.HasPrefix(a.id, "actions/delete-repo") && status == 204 {
		a.secret(r.key(), made)
	}
}

// caller learns who calls from what their writes show.
func (a importer) caller(shown map[string]any) {
	field, login := "", ""
	switch a.id {
	case "issues/create", "pulls/create", "issues/create-comment", "pulls/create-review":
		field = "user"
	case "repos/create-for-authenticated-user":
		field = "owner"
	case "repos/create-release":
		field = "author"
	case "repos/add-collaborator":
		field = "inviter"
	case "projects/create-for-repo":
		field = "creator"
	case "orgs/set-public-membership-for-authenticated-user":
		if login = a.path("username"); a.Tx.Len(full(users)) > 0 {
			a.insert(users, map[string]any{"id": strings.ToLower(login), "login": login, "type": kindUser})
		}
	case "actions/delete-org-secret":
		a.secret("org:"+strings.ToLower(a.path("org")), nil)
		return
	}
	if who := cast.Object(shown[field]); who != nil {
		login = kit.Text(who, "login")
		a.account(who)
	}
	if login == "" || a.Identity == "" {
		return
	}
	if _, known := a.Tx.Get(viewersCollection, a.Identity); known {
		return
	}
	_, err := a.Tx.Insert(viewersCollection, a.Identity, map[string]any{"id": a.Identity, "login": strings.ToLower(login)})
	must(err)
	a.identify()
}

// secret puts in a secret that was there to be deleted.
func (a importer) secret(owner string, made map[string]bool) {
	text := strings.ToUpper(a.path("secret_name"))
	if !made[a.path("secret_name")] {
		a.insert(secrets, map[string]any{"id": owner + "/" + text, "repo": owner, "name": text, "created_at": stamp(a.Now), "updated_at": stamp(a.Now)})
	}
}

// stand learns how the caller stands to a repository.
func (a importer) stand(r repo, shown map[string]any) {
	if kit.Text(shown, "user.login") == "" || !strings.EqualFold(kit.Text(shown, "user.login"), a.loginOf(a.viewer)) {
		return
	}
	switch kit.Text(shown, "author_association") {
	case "MEMBER":
		a.ensureOrg(r.owner())
		a.join(r.owner(), a.viewer, "admin")
	case "NONE", "CONTRIBUTOR", "COLLABORATOR":
		key := standing(r, a.viewer)
		if _, known := a.Tx.Get(viewersCollection, key); !known {
			_, err := a.Tx.Insert(viewersCollection, key, map[string]any{"id": key, "association": shown["author_association"]})
			must(err)
		}
	}
}

func (a importer) ensureOrg(login string) {
	a.insert(users, map[string]any{"id": strings.ToLower(login), "login": login, "type": kindOrg})
}

// side puts in the branch of one side of a pull request.
func (a importer) side(r repo, side map[string]any) {
	ref, sha := heads+kit.Text(side, "ref"), kit.Text(side, "sha")
	if !isSHA(sha) {
		return
	}
	if other, ok := a.lookupFull(kit.Text(side, "repo.full_name")); ok {
		r = other
	}
	if old, known := a.ref(r, ref); !known || a.guessed(r, old) && strings.TrimPrefix(ref, heads) != r.branch() {
		a.stub(r, sha)
		a.setRef(r, ref, sha, commitKind)
	}
}

// refusedFor puts in what a write was refused for: the pull request that was
// there already.
func (a importer) refusedFor(r repo, shown map[string]any) {
	for _, one := range listOf(shown["errors"]) {
		rest, told := strings.CutPrefix(kit.Text(cast.Object(one), "message"), "A pull request already exists for ")
		_, branch, named := strings.Cut(strings.TrimSuffix(rest, "."), ":")
		if !told || !named || a.id != "pulls/create" {
			continue
		}
		a.begun(r)
		sha := gitSHA("stub", []byte(branch))
		a.stub(r, sha)
		a.setRef(r, heads+branch, sha, commitKind)
		base := a.text("base")
		tip, _ := a.ref(r, heads+base)
		a.insert(issues, map[string]any{
			"id": issueKey(r.key(), 1), "repo": r.key(), "number": int64(1), "title": branch, "user": a.loginOf(a.viewer), "state": stateOpen,
			"pull": map[string]any{"head": map[string]any{"repo": r.key(), "ref": branch, "sha": sha}, "base": map[string]any{"repo": r.key(), "ref": base, "sha": tip}},
		})
	}
}

// standing is the record of how an account stands to a repository, where that
// was told.
func standing(r repo, login string) string { return r.key() + "/" + strings.ToLower(login) }
