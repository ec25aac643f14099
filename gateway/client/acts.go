package client

import "time"

// Wait is a record that waits for a person. Since is on the run's clock.
type Wait struct {
	Run        string        `json:"run"`
	Service    string        `json:"service"`
	Kind       string        `json:"kind"` // such as checkout
	Collection string        `json:"collection"`
	ID         string        `json:"id"`
	Since      time.Time     `json:"since,omitzero"`
	Says       string        `json:"says"`
	URL        string        `json:"url,omitempty"` // the page that a person opens
	Acts       []PossibleAct `json:"acts"`
}

// PossibleAct is what a person can do with what waits.
type PossibleAct struct {
	Name string   `json:"name"`
	Does string   `json:"does"`
	With []string `json:"with,omitempty"` // what can go with it
}

// Waits is a list of what waits.
type Waits struct {
	Waits []Wait `json:"waits"`
}

// NewAct is what somebody does with what waits.
type NewAct struct {
	ID         string         `json:"id"`
	Act        string         `json:"act"`
	Collection string         `json:"collection,omitempty"` // where two that wait have one id
	With       map[string]any `json:"with,omitempty"`
	By         string         `json:"by,omitempty"` // a name; who shows a token of their own goes by its name
}

// Acted is what came of an act.
type Acted struct {
	Run        string `json:"run"`
	Service    string `json:"service"`
	Collection string `json:"collection"`
	ID         string `json:"id"`
	Act        string `json:"act"`
	By         By     `json:"by"`
	Did        string `json:"did,omitempty"` // in words
	Event      uint64 `json:"event"`
}
