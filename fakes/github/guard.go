package github

import (
	"parity/fakes/kit"
	"parity/fakes/world"
)

// What stands before handlers in the tables of handlers.go. Each names what a
// call is about, and answers for the handler where that is not there, or where
// the caller may not do it.

type (
	inRepo   = func(*call, repo) (answer, *refusal)
	onRecord = func(*call, repo, *world.Record) (answer, *refusal)
)

// onRepository answers a call about a repository that the caller sees.
func onRepository(act inRepo) handler { return kit.With((*call).repository, act) }

// onWritable answers a call for which one needs a level of access to the
// repository.
func onWritable(level string, act inRepo) handler {
	return kit.With(func(c *call) (repo, *refusal) { return c.writable(level) }, act)
}

// onIssue answers a call about an issue, or a pull request as one.
func onIssue(act onRecord) handler { return onRepository(its((*call).namedIssue, act)) }

// onPull answers a call about a pull request.
func onPull(act onRecord) handler { return kit.WithTwo((*call).pulled, act) }

// onTriaged answers a call that sorts an issue.
func onTriaged(act onRecord) handler { return kit.WithTwo((*call).triaged, act) }

// onCommit answers a call about the commit that the path's ref names.
func onCommit(act func(c *call, r repo, sha string) (answer, *refusal)) handler {
	return kit.WithTwo((*call).commitAt, act)
}

// onOrg answers a call about an organisation.
func onOrg(act func(c *call, org string) (answer, *refusal)) handler {
	return kit.With((*call).org, act)
}

// searching answers a search whose query is a good one.
func searching(act func(*call, []term) (answer, *refusal)) handler {
	return kit.With((*call).searchTerms, act)
}

// onSecrets answers a call about the secrets of an organisation or repository,
// which show words.
func onSecrets(write bool, act func(c *call, owner string, show showing) (answer, *refusal)) handler {
	return kit.WithTwo(func(c *call) (string, showing, *refusal) { return c.secretOwner(write) }, act)
}

// its gives a handler the record of the repository that the path names.
func its(find func(*call, repo) (*world.Record, *refusal), act onRecord) inRepo {
	return func(c *call, r repo) (answer, *refusal) {
		record, refused := find(c, r)
		if refused != nil {
			return answer{}, refused
		}
		return act(c, r, record)
	}
}

// where answers a call that a rule of the repository allows.
func where(allowed func(*call, repo) *refusal, act inRepo) inRepo {
	return func(c *call, r repo) (answer, *refusal) {
		if refused := allowed(c, r); refused != nil {
			return answer{}, refused
		}
		return act(c, r)
	}
}

// whose answers a call that may be made about a record.
func whose(allowed func(*call, repo, *world.Record) *refusal, act onRecord) onRecord {
	return func(c *call, r repo, record *world.Record) (answer, *refusal) {
		if refused := allowed(c, r, record); refused != nil {
			return answer{}, refused
		}
		return act(c, r, record)
	}
}

// commentIn finds a comment of a kind.
func commentIn(collection string) func(*call, repo) (*world.Record, *refusal) {
	return kept(collection, "comment_id")
}

// kept finds what a parameter of the path names by its id.
func kept(collection, parameter string) func(*call, repo) (*world.Record, *refusal) {
	return func(c *call, r repo) (*world.Record, *refusal) {
		record, ok := c.get(collection, c.path(parameter))
		if !ok || kit.Text(record.Value(), "repo") != r.key() {
			return nil, notFound()
		}
		return record, nil
	}
}

// onKept answers a call about one record of a repository.
func onKept(collection, parameter, level string, act onRecord) handler {
	if level == levelRead {
		return onRepository(its(kept(collection, parameter), act))
	}
	return onWritable(level, its(kept(collection, parameter), act))
}
