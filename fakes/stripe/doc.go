// Package stripe plays Stripe's payments API: customers, payment methods,
// payment intents, charges, refunds and events, as a test-mode account sees
// them.
//
//	requires_payment_method ──▶ requires_confirmation ──confirm──┐
//	        ▲                                                    ▼
//	        ├──────────declined (402)──────────── card ──▶ requires_action
//	        │                                        │
//	     another                      automatic ─────┼───── manual
//	     card                             ▼          │        ▼
//	                                 succeeded ◀──capture── requires_capture
//	                                      │                   │ cancel, or seven
//	                                      │                   │ days later
//	                                   refunds             canceled
//
// Texts, codes and shapes are those of the real API: of its public contract,
// its documentation, and recorded answers. Where they are not, the README of
// the folder above says so.
package stripe
