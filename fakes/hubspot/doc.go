// Package hubspot plays HubSpot's CRM: records of every type by one set of
// operations, their properties, associations, pipelines and owners, search by
// an index that lags, batches that succeed in part, OAuth tokens, and the
// contacts, lists, companies, forms and blogs of the APIs before v3.
//
//	           ┌────── properties: what a type has, and may hold
//	           ▼
//	write ─▶ check ─▶ derive ─▶ record ──▶ index ──30 s──▶ search
//	           │                  │  └──▶ webhooks
//	           │                  └─── archive ─▶ (not found, unless archived=true)
//	           └▶ 400, 409                └ merge, gdpr-delete: for good
//
// Texts, codes and shapes are those of the real API as recorded, documented or
// quoted by its users; what is not known to be so is listed in the README.
package hubspot
