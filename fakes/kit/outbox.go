package kit

import (
	"fmt"
	"iter"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// Send puts an act that cannot be taken back into the outbox. Its id is the
// service's own; one that comes again (a mail sent once more) is another act.
func Send(tx *world.Tx, s fakes.Sent) error {
	to := make([]any, len(s.To))
	for i, one := range s.To {
		to[i] = one
	}
	id := s.Service + "/" + s.Kind + "/" + s.ID
	for n := 2; ; n++ {
		if _, taken := tx.Get(fakes.OutboxCollection, id); !taken {
			break
		}
		id = fmt.Sprintf("%s/%s/%s/%d", s.Service, s.Kind, s.ID, n)
	}
	value := map[string]any{
		"service": s.Service, "kind": s.Kind, "id": s.ID, "to": to, "summary": s.Summary, "content": s.Content, "at": s.At.UnixNano(),
	}
	if _, err := tx.Insert(fakes.OutboxCollection, id, value); err != nil {
		return fmt.Errorf("outbox: %w", err)
	}
	return nil
}

// Outbox walks what was sent, oldest first.
func Outbox(r world.Reader) iter.Seq[fakes.Sent] {
	return OutboxOf(r, func(string) bool { return true })
}

// OutboxOf walks those acts of what was sent whose records are to be kept.
func OutboxOf(r world.Reader, keep func(id string) bool) iter.Seq[fakes.Sent] {
	return func(yield func(fakes.Sent) bool) {
		for record := range r.Oldest(fakes.OutboxCollection, 0) {
			if keep(record.ID) && !yield(sent(record.Value())) {
				return
			}
		}
	}
}

func sent(value map[string]any) fakes.Sent {
	s := fakes.Sent{
		Service: Text(value, "service"), Kind: Text(value, "kind"), ID: Text(value, "id"),
		Summary: Text(value, "summary"), Content: cast.Object(value["content"]), At: time.Unix(0, cast.Int(value["at"])).UTC(),
	}
	for _, one := range cast.List(value["to"]) {
		if name, ok := one.(string); ok {
			s.To = append(s.To, name)
		}
	}
	return s
}
