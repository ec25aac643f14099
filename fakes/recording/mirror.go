package recording

import "time"

// A Mirror is the head of a conversation that is a copy of part of a real
// service: of reads alone, sampled, and with pseudonyms in place of what is of
// people.
type Mirror struct {
	From     string    `json:"from"`              // where it was taken: "har NAME", "samples NAME" or "upstream HOST"
	At       time.Time `json:"at"`                // how the service was: when the newest of its replies was made
	Imported time.Time `json:"imported"`          // when the copy was made
	Sampled  string    `json:"sampled"`           // how: "all", or the share and the most that was asked for
	Redacted []string  `json:"redacted"`          // how many values of each kind have pseudonyms, as "12 email"
	Records  int       `json:"records"`           // how many different ones its replies show
	Partial  string    `json:"partial,omitempty"` // why it ended before its end; "": it did not
}
