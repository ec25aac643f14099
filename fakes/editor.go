package fakes

// Editor is met by fakes whose records somebody other than the agent can
// change: a colleague, a job of the service itself. Its calls write to the
// call's transaction and do nothing else.
//
// Subject names the record that a call is about (the one that it reads,
// changes or deletes): its collection in the world and its id there; "" where
// the call is about none, or about one that does not exist.
//
// Edit sets top-level fields of a record as the service's own users would:
// what depends on them (a version, an etag, the time of the last change) moves
// along. It returns an error, and writes nothing, where the contract does not
// allow the values or there is no such record. Remove deletes it, as the
// service deletes.
type Editor interface {
	Subject(*Call) (collection, id string)
	Edit(call *Call, collection, id string, set map[string]any) error
	Remove(call *Call, collection, id string) error
}

// Copier is met by fakes that can make another record like one there is: newest
// of its collection, with an id of its own. It is for lists that move while
// they are read, and for calls that take effect twice.
type Copier interface {
	Copy(call *Call, collection, id string) (copied string, err error)
}

// Reworder is met by fakes whose records keep what people write elsewhere than in
// a field of text: in a title of several parts, in a file. Reworded gives what
// somebody who changes a word of a record sets, for Edit; nil where it has no
// such text.
type Reworder interface {
	Reworded(call *Call, collection, id string) map[string]any
}
