// Package sendgrid plays Twilio SendGrid's Web API v3: sending mail, and what
// goes with it.
//
//	POST /v3/mail/send
//	   │ 400 what is wrong with the body, all at once
//	   │ 403 the from address is no verified sender and on no authenticated domain
//	   │ 200 sandbox
//	   ▼
//	  202 ──send_at──▶ waits ──its time──┬─ paused: waits on
//	   │                                 ├─ cancelled: gone
//	   ▼                                 │
//	processed ◀──────────────────────────┘
//	   │                  suppressed, or no such template
//	   ├─────────────────────────────────▶ dropped
//	   ▼
//	the outbox, once for each personalization
//	   │                 ┌──▶ delivered ──▶ (spam report)
//	   └── a moment later┼──▶ bounce, blocked
//	                     └──▶ deferred ──▶ delivered
//
// A 202 says only that the mail was taken. What becomes of it is told by the
// event webhook, by email activity (which lags behind) and by the lists of
// suppressed addresses.
//
// Texts, fields and shapes are those of the real API where they are known: of
// its public contract, its documentation, and answers that people have posted.
// The README beside this file lists those that are not.
package sendgrid
