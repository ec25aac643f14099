// Package notion plays Notion: a workspace of pages, blocks and databases,
// their comments and users, as the REST API shows them in each Notion-Version.
//
//	workspace ─▶ page ─▶ block ─▶ block …
//	               ├───▶ page (shown among blocks as child_page)
//	               └───▶ database ─▶ data source ─▶ page with properties
//
// Records are kept in the newest shape, and reshaped for the version that a
// call names. What is not shared with the integration is not found.
package notion
