// Package anatomy infers from a contract alone what its operations do: which
// resources there are, where their ids stand, how lists are wrapped and paged,
// what the server sets, how errors look, what refers to what.
//
//	GET  /contacts       list    ─┐
//	POST /contacts       create  ─┤
//	GET  /contacts/{id}  read    ─┼─▶ Resource contacts: id, list, fields
//	PUT  /contacts/{id}  replace ─┤
//	POST /contacts/{id}/archive   ┘  action
//
// All of it is a guess, made to be corrected by a behaviour file: each part says
// why it was guessed.
package anatomy

import (
	"parity/specs/openapi"
	"parity/specs/schema"
)

// A Kind is what an operation does with its resource.
type Kind string

// The kinds of operations.
const (
	List    Kind = "list"    // GET of a collection
	Create  Kind = "create"  // a new member, its id chosen by the server
	Read    Kind = "read"    // GET of one member
	Replace Kind = "replace" // PUT of one member
	Update  Kind = "update"  // some fields of one member
	Delete  Kind = "delete"
	Upsert  Kind = "upsert" // PUT that makes what is not there
	Action  Kind = "action" // something else, done to a member or a collection
	Search  Kind = "search" // a list asked for by POST, or by another path
	Count   Kind = "count"  // how many members there are
	Other   Kind = "other"  // nothing is known of it
)

// A Model is what was inferred from one contract.
type Model struct {
	Resources []*Resource                  // parents before children
	Roles     map[*openapi.Operation]*Role // of every operation
	Errors    Errors
}

// A Resource is things of one kind. Its fields are dotted paths in the record,
// such as metadata.name.
type Resource struct {
	Name      string         // such as contacts; unique in the contract
	Parent    *Resource      // of a nested one: posts of a user
	Within    []string       // path parameters that hold the parents' ids, outermost first
	Singleton bool           // there is one of it, or one in each parent: /me, /users/{id}/settings
	Record    *schema.Schema // what one of them looks like; nil: not known
	ID        ID
	Parents   map[string]string // field of a record -> path parameter: where a member says whose it is
	Version   string            // field that changes with each write: etag, version, rev
	Created   string            // field that holds when it was made
	Updated   string            // field that holds when it was last changed
	Server    []string          // fields that the server sets, and nobody else
	Status    string            // field that holds a state, an enumeration
	Refers    map[string]string // field -> name of the resource whose id it holds
	Unique    []string          // fields that no two members may share
	Why       string            // how it was found
}

// An ID is how a member of a resource is named.
type ID struct {
	Field   string   // dotted path in the record: id, data.id, metadata.uid; "" where the record does not say
	Param   string   // path parameter of a member
	Type    string   // string, integer
	Format  string   // of the schema: uuid, int64 …
	Pattern string   // of the schema
	Prefix  string   // what ids begin with, where examples or patterns show it: cus_
	Client  bool     // the client chooses it
	Also    []string // other fields that name a member as well: key, slug, login
}

// A Role is what one operation does.
type Role struct {
	Kind     Kind
	Resource *Resource         // nil for Other
	Name     string            // of an action, such as archive
	Member   string            // parameter, or dotted path in the body, that holds the member's id; "" for none: Read is of the newest then
	In       string            // where Member stands: path, query, body
	Within   []string          // path parameters that say whose it is, outermost first
	Parents  map[string]string // field of a record -> one of Within that it equals; those without have to be remembered
	Above    string            // of Within, the one that names one of the resource itself: the folder of folders
	Input    Envelope          // where the record stands in the request's body
	Output   Envelope          // where the record, or the list of them, stands in the reply
	Key      string            // JSON pointer to the member's id in a reply that is no record, where Keyed
	Keyed    bool
	Status   string  // of its success, such as 201; "" where the contract names none
	Merges   bool    // of Create: what is sent with the id of one that is there changes that one
	Once     string  // field of the body that holds an idempotency key; "" for none
	List     *Paging // of List and Search
	Prefer   bool    // the contract has the header Prefer
	IfMatch  bool    // the contract has the header If-Match, or answers 412
	ETag     bool    // its reply has the header ETag
	Patch    string  // of Update: merge, json (RFC 6902), or "" for fields that are there
	Why      string
}

// An Envelope is what stands around a record or a list of them.
type Envelope struct {
	Path   string         // JSON pointer to it; "" where it is the whole body
	Many   bool           // an array of records stands there: of one, where one is meant
	Known  bool           // the contract describes such a body
	Fits   bool           // what stands there looks like the record
	Schema *schema.Schema // of what stands there; of the items, if Many or a list
	Media  string         // content type, as the contract writes it
}

// Paging is how a list is asked for and answered.
type Paging struct {
	Items   string            // JSON pointer to the items in the reply; "" where the body is the list
	IDs     bool              // the items are ids, and no records
	Body    bool              // the parameters below are fields of the body, and not of the query
	Style   string            // cursor, offset, page, link, none
	Limit   string            // query parameter: how many
	Default int               // how many where none is asked for; 0: not said
	Most    int               // how many at most; 0: not said
	Cursor  string            // query parameter: cursor, token, after …
	Before  string            // query parameter: the page that ends before this cursor
	Offset  string            // query parameter
	Page    string            // query parameter
	First   int               // number of the first page
	Next    string            // JSON pointer to the next cursor, or to the next page's URL
	IsURL   bool              // Next is a URL
	Local   bool              // … without a host
	More    string            // JSON pointer: are there more
	Total   string            // JSON pointer: how many in all
	Prev    string            // JSON pointer to what was before
	Echo    map[string]string // JSON pointer -> query parameter that it repeats: limit, offset, page
	Filters map[string]string // query parameter -> field that has to equal it
	Ranges  map[string]Range  // query parameter -> bound on a field
	Sort    string            // query parameter that names the order; "" for none
	Order   string            // query parameter that says asc or desc; "" for none
	Down    bool              // it is desc where nobody says
	Query   string            // query parameter that is looked for in all text
}

// A Range is a bound that a query parameter puts on a field.
type Range struct {
	Field string
	Op    string // > >= < <=
}

// Errors is how a service words its refusals.
type Errors struct {
	Schema  *schema.Schema // of a 4XX; nil: not known
	Media   string
	Message string // JSON pointer to the text
	Code    string // JSON pointer to a code, a string
	Status  string // JSON pointer to the status, a number or a string
}
