// Package github plays GitHub's REST API: repositories with a real git store
// behind them, issues and pull requests under one numbering, reviews, checks,
// search, releases, webhooks.
//
//	call ─▶ who (token, scopes) ─▶ limits ─▶ repository ─▶ handler ─▶ view ─▶ ETag, Link, headers
//	                                             │            │
//	                                             │            └─ git: blob ◀ tree ◀ commit ◀ ref
//	                                             └─ 301 renamed · 404 hidden · 403 without the scope
//
// What is kept is small and has no addresses: views make what is shown, since
// self links depend on how a client came (Call.Base). A field raw holds what a
// recorded reply told beyond what the fake works with.
//
// Objects of git are kept under the SHA-1 that git gives them, those of a fork
// together with those of what it was forked from.
package github
