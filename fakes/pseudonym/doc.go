// Package pseudonym puts made-up values in the place of what is of people: valid
// ones, the same for the same value, so that what refers to it still fits.
//
//	Value(v), of all that there is ─▶ what is of people, by name, place and form
//	Settle()                       ─▶ a pseudonym for each, by a key that nobody keeps
//	Value(v), Text(s)              ─▶ the same with pseudonyms: in fields, in texts, in
//	                                  addresses, in JSON within a text, percent-encoded,
//	                                  in base64, in hexadecimal
//
// A word of a name has one pseudonym wherever it stands, so that "Grace Hopper" is
// Maren Dolv in a customer, "Maren" where a ticket says Grace, and
// maren.dolv@kest.example where it has her address. Nothing of a value can be worked
// out from its pseudonym without the key, but that two values are equal, how long a
// number is, and what a word among others may be by how often it stands there.
package pseudonym
