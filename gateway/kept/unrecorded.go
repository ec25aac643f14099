package kept

import (
	"encoding/json"
	"fmt"

	"parity/specs/words"
)

// Unrecorded is what a store keeps of the calls of a run that it has no record
// of, since it was full.
type Unrecorded struct {
	After    uint64 `json:"after"` // the newest event when the first of them came
	Answered int64  `json:"answered"`
	Refused  int64  `json:"refused"`
}

// unrecordedKey is where a run's meta has it.
const unrecordedKey = "unrecorded"

// Meta is how the store keeps it.
func (u Unrecorded) Meta() map[string]string {
	text, _ := json.Marshal(u) // numbers are always written
	return map[string]string{unrecordedKey: string(text)}
}

func (u Unrecorded) String() string {
	said := fmt.Sprintf("its record was full after event %d, and what came then is not in it", u.After)
	if u.Answered+u.Refused == 0 {
		return said
	}
	return said + fmt.Sprintf(": %s that changed nothing were answered from the world as it stood, and struck by no rule, and %d were refused",
		words.Count(int(u.Answered), "call"), u.Refused)
}

// unrecordedIn reads what Meta wrote; false where there is none.
func unrecordedIn(meta map[string]string) (u Unrecorded, ok bool) {
	text, ok := meta[unrecordedKey]
	if ok {
		ok = json.Unmarshal([]byte(text), &u) == nil
	}
	return u, ok
}
