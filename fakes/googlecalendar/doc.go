// Package googlecalendar plays the Google Calendar API, and of Google's
// sign-in what its clients need: tokens.
//
//	POST oauth2/token ──▶ access token, an hour ──401──▶ another
//	                            │
//	  calendars ── acl          ▼                     ┌─ instance ─ base_20260302T090000Z
//	      │    └── calendarList                       │      changed or cancelled:
//	      └──── events ── RRULE, EXDATE, real zones ──┤      an exception of its own
//	               │                                  └─ instance …
//	  insert ─▶ confirmed ─delete─▶ cancelled (still there) ─delete─▶ 410
//	               │ each write: etag, updated, sequence, sync token, channels
//	               └ sendUpdates=all: invitations leave, and cannot be taken back
//
// Texts, codes and shapes are those of the real API: of its public documents
// and recorded answers. Where they are not, the README says so.
package googlecalendar
