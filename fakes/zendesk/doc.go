// Package zendesk plays Zendesk Support and its help centers.
//
//	users ── request ──▶ tickets ◀── update ── agents
//	                        │
//	       comments ◀───────┼──────▶ audits: each change, as events
//	                        │
//	  new ─▶ open ─▶ pending/hold ─▶ solved ──days──▶ closed
//	            ▲──── the requester answers ────┘        └─▶ a follow-up
//
//	a change ──▶ triggers, in order, once each ──▶ audit, mail, webhooks
//	   ▲                                             │
//	automations, on the hour        SLA clocks ◀─────┘
//
// What is done to many records at once is a job, which a timer carries out.
// Search and exports see what was written after a while. Webhooks are signed
// and queued; mail that rules send is in the outbox.
package zendesk
