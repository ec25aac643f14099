// Package author is for whoever writes what a rehearsal goes by: it begins, checks
// and shows profiles, fixtures and contracts, and looks things up in the library.
//
//	what was seen: a run, a recording ─▶ draft ─▶ a profile, its fixtures, its lock
//	                                              │
//	what was written ─▶ lint, show, diff, explain ┴─▶ what is wrong with it, or what it comes to
//	what has happened ─▶ a divergence, an armed rule ─▶ a line more in a profile's file
//
// Its functions print, and write files where they say so. An error says what to
// do about it.
package author
