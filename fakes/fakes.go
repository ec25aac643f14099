// Package fakes holds what a stand-in for a service is, and the catalogue of
// those there are.
//
//	          ┌───────────── Call ─────────────┐
//	request ─▶│ operation · input · tx · instant│─▶ Fake.Answer ─▶ Reply
//	          └────────────────────────────────┘        │
//	                                          writes go to the Tx alone
//
// A Fake keeps no state of its own: what it knows is in the world that the
// call carries, so that a run can be forked, replayed and compared.
package fakes

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"parity/fakes/world"
	"parity/specs"
)

// Fake plays one service. Answer runs inside a transaction under the run's
// lock: it must do no I/O and must not wait. It is asked by Service.Ask, which
// bounds its work.
type Fake interface {
	Answer(*Call) Reply
}

// Dialect is met by fakes that can word what Parity has to say (a refusal, a
// limit, a breakdown) in the service's own way.
type Dialect interface {
	Render(Problem) Reply
}

// Identifier is met by fakes that know who is calling. It returns the
// credential (never kept: the caller digests it) and, where the service would
// turn the caller away, what is wrong.
type Identifier interface {
	Identify(Credentials) (credential string, trouble *Problem)
}

// CredentialKinds is met by fakes of services whose credentials are of kinds that decide
// what may be asked (a bot's token, a user's). KindOf names the kind of a
// credential, in lower case, "" for none: it becomes part of the Identity, such
// as slack-bot-Ab12Cd34, so that a fake can tell kinds apart without seeing the
// credential.
type CredentialKinds interface {
	KindOf(credential string) string
}

// IdentityPrefix is what a credential's Identity begins with.
func IdentityPrefix(service string, fake Fake, credential string) string {
	if k, ok := fake.(CredentialKinds); ok {
		if kind := k.KindOf(credential); kind != "" {
			return service + "-" + kind + "-"
		}
	}
	return service + "-"
}

// Introducer is met by fakes that know how the credentials of their service look:
// Introduction is an Authorization header of that form with a credential that
// nobody was given.
type Introducer interface {
	Introduction() string
}

// Minter is met by fakes that can make a credential of their service's form that
// nobody can take for a real one: it says so, has a wrong checksum, or is a test
// key. Where the form leaves room it has MintedMark in it. draw gives so many
// letters and digits that are new each time. The value is what a client is
// configured with; Identify gives it, or what it is encoded as.
type Minter interface {
	Mint(draw func(n int) string) (value string)
}

// MintedMark is what a minted credential says of itself.
const MintedMark = "parity"

// Describer is met by fakes that say how records of their service usually look,
// where its contract does not: Usual is YAML by collection, as fakes/fixture reads
// it.
type Describer interface {
	Usual() string
}

// Referrer is met by fakes that know which fields of their records hold ids of other
// records, where their contract does not say: of lists, each item is an id.
type Referrer interface {
	Refers(collection, field string) (target string, ok bool)
}

// Credentials is where a client may show who it is.
type Credentials struct {
	Header      http.Header
	Query, Body map[string]any
}

// Importer is met by fakes that can take in what the real service answered:
// Import puts the records that a reply shows into the call's transaction, so
// that a world can be set up from recorded reads. What is there already stays;
// what does not pass the contract is left out.
type Importer interface {
	Import(call *Call, status int, body []byte)
}

// Inferrer is met by fakes that can tell from the reply to a write what was
// there before it: Infer is shown replies about records that the
// conversation itself makes, and puts in what they take for granted (the page
// that holds a new one, the account that made it), never those records. made
// lists the ids that the conversation makes.
type Inferrer interface {
	Infer(call *Call, status int, body []byte, made map[string]bool)
}

// Keyed is met by fakes whose service honours idempotency keys. Reserve marks
// the call's key as in flight before a wait; Release undoes it when nothing
// was committed. Both write to the call's transaction.
type Keyed interface {
	Key(*Call) string
	Reserve(*Call)
	Release(*Call)
}

// Fixture is the Identity of calls that fill a world before anybody calls: they
// carry no credential, and need none.
const Fixture = "fixture"

// Scoped is met by fakes of services in which one credential acts in several
// accounts. Scope names the one that a request says it is for, "" for the
// caller's own: calls for two accounts are never taken for one that is repeated.
type Scoped interface {
	Scope(http.Header) string
}

// Call is one request to a fake, decoded and found valid.
type Call struct {
	Operation        *specs.Operation
	Contract         *specs.Contract
	Input            specs.Input
	Header           http.Header
	Body             []byte      // as it came
	Tx               *world.Tx   // the one place to read from and write to
	Work             *world.Work // what may still be done; nil: MostWork
	Now              time.Time   // the exchange's virtual instant
	Identity         string      // who calls: a digest, never the credential
	Base             string      // scheme, host and prefix under which the client reached the service, for self links
	Preauthenticated bool        // it is decided again from a record, which keeps no credential: there was one
	Held             bool        // this call's own reservation is in the world: not a conflict
	Wanted           string      // of a call that fills a world (Fixture): the id that its record is to have, where the file says one

	// Mint gives the next id of this call: prefix and n base62 characters,
	// drawn from the run's seed and this call's intent.
	NewID func(prefix string, n int) string
	// IdentityOf gives the Identity that calls with a credential have in this
	// run, so that a fake can know a token that it issued without keeping it.
	IdentityOf func(credential string) string
	// Carrier is for Carry; nil: nobody looks at parts.
	Carrier Carrier
}

// Reply is what a fake answers.
type Reply struct {
	Status     int
	Header     http.Header
	Body       []byte
	Result     map[string]any // the body decoded, for conditions; nil where there is none
	Replayed   bool           // answered from an idempotency record
	Fidelity   Fidelity       // how the answer came about; empty: Modelled
	Overworked bool           // it stands for one that would have taken more work than a call may ask for

	// Socket, where set, has the client's connection go on as a websocket of that
	// id, of which Body is made the first message: see Socketed.
	Socket string
}

// Fidelity says how close an answer is to what the service would say.
type Fidelity string

// The fidelities of fakes, from the closest down.
const (
	Modelled Fidelity = "modelled" // by a fake that was made for this service
	Generic  Fidelity = "generic"  // from the state that the contract alone implies
	Example  Fidelity = "example"  // an example, or a value that the contract allows; nothing is kept
)

// ProblemKind is a closed set of what can be wrong before a fake is asked.
type ProblemKind string

// The kinds of trouble.
const (
	BadRequest   ProblemKind = "bad-request"  // violations of the contract
	NoOperation  ProblemKind = "no-operation" // no such path
	NoMethod     ProblemKind = "no-method"    // the path exists, not with this method
	Unauthorised ProblemKind = "unauthorised" // no credential, or one that is not well formed
	RateLimited  ProblemKind = "rate-limited" // a limit; RetryAfter says how long
	Broken       ProblemKind = "broken"       // the service fails with Status
	TooLarge     ProblemKind = "too-large"    // the body passed the limit
	OutOfOrder   ProblemKind = "out-of-order" // a profile wants another call first: Status and Message say how it is refused

	SessionExpired ProblemKind = "session-expired" // the credential was good, and is not any more
	CursorExpired  ProblemKind = "cursor-expired"  // the place in a list is not known any more
	KeyInFlight    ProblemKind = "key-in-flight"   // another call with this idempotency key is under way
	KeyReused      ProblemKind = "key-reused"      // this idempotency key was used for another request
	Locked         ProblemKind = "locked"          // somebody else holds the record
	OverQuota      ProblemKind = "over-quota"      // an allowance for a day or a month is used up; RetryAfter says how long
	Retired        ProblemKind = "retired"         // the operation is no longer offered

	Forbidden ProblemKind = "forbidden" // who calls may not make this call: it lacks a right; Message says why
	Revoked   ProblemKind = "revoked"   // the credential was good, and somebody has taken it back
)

// Problem is something to be worded in a service's dialect.
type Problem struct {
	Kind       ProblemKind
	Status     int    // 0: as the service would
	Code       string // "": as the service would
	Message    string // "": as the service would
	Method     string
	Path       string
	RequestID  string
	RetryAfter time.Duration // 0: not said
	RetryDate  time.Time     // not zero: Retry-After is given as a date
	Violations []specs.Violation
	Header     http.Header // the request's
	Query      string      // the request's, as it came: a service that names the cursor which it refuses takes it from here
	Now        time.Time   // the exchange's instant; zero: not said. A service that tells when an allowance comes back tells it from here
}

// Asked gives a query parameter of the request; "" where there is none.
func (t Problem) Asked(parameter string) string {
	values, err := url.ParseQuery(t.Query)
	if err != nil {
		return ""
	}
	return values.Get(parameter)
}

// After is what a Retry-After header says: the date, or whole seconds, rounded
// up; "" where nothing is said.
// Source: RFC 9110, 10.2.3.
func (t Problem) After() string {
	switch {
	case !t.RetryDate.IsZero():
		return t.RetryDate.UTC().Format(http.TimeFormat)
	case t.RetryAfter > 0:
		return strconv.FormatInt(int64((t.RetryAfter+time.Second-1)/time.Second), 10)
	}
	return ""
}

// Service is one entry of the catalogue.
type Service struct {
	Name        string
	Contract    *specs.Contract
	Fake        Fake
	Collections []world.Collection
	Hosts       []string // exact, or "*.suffix"
	// Begin puts into a new world what is there from the start; nil: nothing is.
	Begin func(*world.Tx) error
	Hash  string // digest of what it was made of besides its contract; "": of that alone
}
