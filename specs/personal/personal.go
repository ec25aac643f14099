// Package personal tells what in the bodies of services is of people: one list for
// what is kept of real services and for mirrors of them.
//
//	by name        {"email": …, "phone": …, "first_name": …}   wherever it stands
//	by neighbours  {"name": …, "email": …}                     a name beside what only people have
//	by place       "assignee": {"name": …}, a record of users   a name where people stand
//	by form        "write to ada@acme.example"                 in any text
//
// What it does not tell: a name that stands alone in a text, and in no field.
package personal

import "strings"

// A Kind is what of people a value is.
type Kind string

// The kinds of what is of people.
const (
	Email   Kind = "email"
	Phone   Kind = "phone"
	Name    Kind = "name"
	Login   Kind = "login" // what somebody is called in a service
	Address Kind = "address"
	Account Kind = "account" // numbers of accounts, taxes, documents
	Card    Kind = "card"
	Birth   Kind = "birth"
	Network Kind = "network" // the address of somebody's machine
)

// Kinds are all there are.
func Kinds() []Kind { return []Kind{Email, Phone, Name, Login, Address, Account, Card, Birth, Network} }

// Named tells what of people a field has, by its name alone; "": nothing that is
// known. The names are gathered from the contracts that ship, RFC 6350 (vCard) and
// OpenID Connect's standard claims.
func Named(name string) Kind { return byName[plain(name)] }

// plain is a name without its style.
func plain(name string) string {
	var room [64]byte
	out := room[:0]
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			out = append(out, c|0x20)
		case c == '_', c == '-', c == ' ', c == '.':
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

var byName = func() map[string]Kind {
	all := map[string]Kind{}
	for kind, names := range map[Kind]string{
		Email: "email emailaddress useremail receiptemail replyto replytoemail mail primaryemail workemail personalemail contactemail customeremail billingemail supportemail " +
			"fromemail toemail senderemail recipientemail emails paypalemail invoiceemail notificationemail owneremail authoremail",
		Phone: "phone phonenumber mobile mobilephone mobilenumber telephone fax faxnumber phonee164 cellphone workphone homephone contactphone billingphone supportphone " +
			"msisdn whatsappnumber smsnumber phonenumbers phones whatsapp hscalculatedphonenumber hscalculatedmobilenumber hssearchablecalculatedphonenumber",
		Name: "firstname lastname middlename givenname familyname surname maidenname realname realnamenormalized displayname displaynamenormalized fullname legalname " +
			"cardholdername accountholdername customername contactname authorname sendername recipientname requestername assigneename ownername fromname toname " +
			"nickname preferredname patientname guestname billingname shippingname firstnamephonetic lastnamephonetic firstnamekana lastnamekana firstnamekanji lastnamekanji",
		Login: "login username userlogin screenname twitterhandle twitterusername githubusername",
		Address: "line1 line2 street street1 street2 streetaddress streetname address1 address2 addressline1 addressline2 postalcode zipcode zip postcode postal " +
			"formattedaddress mailingaddress billingaddress shippingaddress homeaddress fulladdress",
		Account: "iban bban accountnumber routingnumber sortcode taxid taxnumber vatid vatnumber ssn ssnlast4 socialsecuritynumber nationalid passportnumber " +
			"driverslicense driverlicensenumber idnumber personalnumber bankaccountnumber",
		Card:    "cardnumber pan creditcardnumber primaryaccountnumber ccnumber",
		Birth:   "dob dateofbirth birthdate birthday dateofbirthday",
		Network: "ip ipaddress clientip remoteip lastloginip currentsigninip lastsigninip signupip useripaddress remoteaddr",
	} {
		for one := range strings.FieldsSeq(names) {
			all[one] = kind
		}
	}
	return all
}()

func wordSet(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

// own are names of fields that a record of a person has, and hardly any other: the
// others may be of whom a thing belongs to.
var own = wordSet("email emailaddress mail primaryemail emails phone phonenumber mobile mobilephone firstname lastname givenname familyname realname " +
	"userlogin screenname username login birthday dob dateofbirth")

// loose are names of fields that say what something is called: somebody, in a
// record of a person.
var loose = wordSet("name alias nick displaytitle handle called")

// people are words for those who are people, in the singular.
var people = wordSet("user customer contact person people member employee patient guest attendee lead subscriber candidate recipient sender author " +
	"assignee requester requestor manager supervisor submitter owner creator organizer organiser collaborator commenter reviewer approver committer participant passenger driver student teacher " +
	"payer payee cardholder holder beneficiary buyer seller client staff operator reporter watcher follower uploader caller doctor applicant individual " +
	"billingdetails shipping shippingdetails customerdetails createdby updatedby modifiedby editedby lasteditedby assignedto profile from agent billing invitee signer admin " +
	"accountholder userprofile mergedby closedby actor donor volunteer")

// others are what a record may say of itself that is no person.
var others = wordSet("organization organisation company business bot app team group enterprise")

// People tells whether a word, the name of a collection or of a field, is one for
// people: users, assignee, created_by.
func People(word string) bool { return oneOf(people, word) }

// oneOf tells whether a word, or the plural of it, is one of some.
func oneOf(words map[string]bool, word string) bool {
	w := plain(word)
	if w == "" {
		return false
	}
	for _, one := range [...]string{w, strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"), strings.TrimSuffix(w, "ies") + "y"} {
		if words[one] {
			return true
		}
	}
	return false
}

// envelopes are names under which records stand that say nothing of them.
var envelopes = wordSet("data items results values records list objects entries elements page response result value content rows nodes edges node properties attributes fields")

// Within gives what the value of a field stands within, for Fields: the field, or
// what that is in where its name says nothing.
func Within(within, field string) string {
	if field == "" || envelopes[plain(field)] {
		return within
	}
	return field
}

// Fields tells what of people the fields of an object have: by their names and, in
// the record of a person, by what is a person's there. within is what the object
// stands in: a collection, or the name of a field.
func Fields(within string, object map[string]any) func(field string) Kind {
	person := Person(within, object)
	return func(field string) Kind {
		kind := Named(field)
		switch {
		case kind == Login && is(object, others):
			return ""
		case kind == Name && strings.ContainsRune(text(object[field]), '/'): // a repository's, with its owner's
			return ""
		case kind == "" && person && loose[plain(field)]:
			return Name
		case kind == "" && plain(field) == "number" && object["cvc"] != nil:
			return Card
		case kind == "" && plain(field) == "address" && !WholeEmail(text(object[field])) && placed(object):
			return Address
		}
		return kind
	}
}

// placed tells whether an object says where something is.
func placed(object map[string]any) bool {
	for name := range object {
		switch plain(name) {
		case "zip", "zipcode", "postalcode", "postcode", "city", "street":
			return true
		}
	}
	return false
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// Person tells whether an object is the record of a person.
func Person(within string, object map[string]any) bool {
	if is(object, others) || oneOf(others, within) {
		return false
	}
	return People(within) || is(object, people) || shows(object)
}

// is tells whether an object says of itself that it is one of some words.
func is(object map[string]any, words map[string]bool) bool {
	for _, name := range [...]string{"object", "type", "kind", "resource_type", "record_type", "result_type"} {
		if oneOf(words, text(object[name])) {
			return true
		}
	}
	return false
}

// shows tells whether an object has what only people have, itself or in its
// profile.
func shows(object map[string]any) bool {
	for name, value := range object {
		switch inner := value.(type) {
		case map[string]any:
			if n := plain(name); (n == "profile" || n == "person" || n == "properties") && shows(inner) {
				return true
			}
		case string:
			if n := plain(name); (n == "address" || n == "value" || n == "id") && WholeEmail(inner) {
				return true
			}
		}
		if own[plain(name)] {
			return true
		}
	}
	return false
}
