package github

import (
	"strings"

	"parity/fakes/github/gitwire"
)

// judge tells why a command of a push is refused, as git shows it behind the
// reference; "" where it is not.
func (p *pushing) judge(one gitwire.Command) string {
	now, there := p.ref(p.r, one.Ref)
	switch {
	case strings.HasPrefix(one.Ref, "refs/pull/"):
		return "deny updating a hidden ref"
	case !goodRef(one.Ref):
		return "funny refname"
	case one.Old == "" && there && one.New != "":
		return p.locked(one.Ref, "reference already exists")
	case one.Old != "" && !there && one.New != "":
		return p.locked(one.Ref, "unable to resolve reference '"+one.Ref+"'")
	case there && now != one.Old:
		return p.locked(one.Ref, "is at "+now+" but expected "+one.Old)
	}
	if one.New == "" {
		return p.judgeDeletion(one.Ref)
	}
	o, ok := p.object(p.r, one.New)
	switch {
	case !ok:
		return "missing necessary objects"
	case strings.HasPrefix(one.Ref, heads) && o.kind() != commitKind:
		return p.locked(one.Ref, "trying to write non-commit object "+one.New+" to branch '"+one.Ref+"'")
	}
	if p.large {
		p.say("error: GH001: Large files detected. You may want to try Git Large File Storage - https://git-lfs.github.com.\n")
		return "pre-receive hook declined"
	}
	if at := p.workflowChanged(one); at != "" && !p.hasScope("workflow") {
		return "refusing to allow a Personal Access Token to create or update workflow `" + at + "` without `workflow` scope"
	}
	return p.judgeRules(one.Ref, one.New, one.Old != "" && !p.isAncestor(p.r, one.Old, one.New))
}

// locked is git's own refusal where a reference is not as the client thinks.
func (p *pushing) locked(ref, why string) string {
	text := "cannot lock ref '" + ref + "': " + why
	p.say("error: " + text + "\n")
	return text
}

func (p *pushing) judgeDeletion(ref string) string {
	if ref == heads+p.r.branch() {
		p.say("error: refusing to delete the current branch: " + ref + "\n")
		return "refusing to delete the current branch: " + ref
	}
	return p.judgeRules(ref, "", false)
}

// judgeRules holds a push against the rules of the branch.
func (p *pushing) judgeRules(ref, sha string, forced bool) string {
	why := p.guarded(p.r, ref, sha, forced)
	if why == "" {
		return ""
	}
	return p.declined(ref, why)
}

// declined is how GitHub refuses what the rules of a branch forbid.
// Source: pushes that people have shown, such as
// github.com/foundry-rs/block-explorers/pull/110 and github.com/ietf-tools/xml2rfc/issues/1251.
func (p *pushing) declined(ref, why string) string {
	p.say("error: GH006: Protected branch update failed for " + ref + ".\n\n- " + why + "\n")
	return "protected branch hook declined"
}

// workflowChanged names a workflow that a push changes; "" where it changes none.
func (p *pushing) workflowChanged(one gitwire.Command) string {
	if !strings.HasPrefix(one.Ref, heads) {
		return ""
	}
	was := map[string]string{}
	before := one.Old
	if before == "" {
		before = p.tip(p.r)
	}
	for _, e := range p.workflowFiles(before) {
		was[e.path] = e.sha
	}
	for _, e := range p.workflowFiles(one.New) {
		if was[e.path] != e.sha {
			return workflowsFolder + "/" + e.path
		}
	}
	return ""
}

// workflowsFolder is where the workflows of a repository are.
const workflowsFolder = ".github/workflows"

// workflowFiles lists the files of a commit that are workflows.
func (p *pushing) workflowFiles(sha string) []entry {
	o, ok := p.objectOf(p.r, sha, commitKind)
	if !ok {
		return nil
	}
	folder, ok := p.walk(p.r, o.tree(), workflowsFolder)
	if !ok {
		return nil
	}
	return p.entries(p.r, folder.sha)
}
