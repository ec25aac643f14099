package kit

import (
	"encoding/base64"
	"fmt"
	"iter"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/world"
)

// Deliver queues an attempt to send a webhook. One of the same service and id
// is replaced.
// Errors: no service, id or URL; a world without deliveries
// (fakes.Catalogue.World has them).
func Deliver(tx *world.Tx, d fakes.Delivery) error {
	if d.Service == "" || d.ID == "" || d.URL == "" {
		return fmt.Errorf("delivery %q of %q to %q: it wants a service, an id and a URL", d.ID, d.Service, d.URL)
	}
	if err := Dequeue(tx, d); err != nil {
		return err
	}
	header := make(map[string]any, len(d.Header))
	for name, value := range d.Header {
		header[name] = value
	}
	value := map[string]any{
		"service": d.Service, "id": d.ID, "method": d.Method, "url": d.URL, "header": header,
		"attempt": int64(max(d.Attempt, 1)), "due": d.Due.UnixNano(),
	}
	for field, said := range map[string]string{"event": d.Event, "renamed": d.Renamed} {
		if said != "" {
			value[field] = said
		}
	}
	if d.Copy > 0 {
		value["copy"] = int64(d.Copy)
	}
	if d.Spoilt {
		value["spoilt"] = true
	}
	if utf8.Valid(d.Body) {
		value["body"] = string(d.Body)
	} else {
		value["base64"] = base64.StdEncoding.EncodeToString(d.Body)
	}
	if _, err := tx.Insert(fakes.DeliveriesCollection, deliveryID(d), value); err != nil {
		return fmt.Errorf("delivery: %w", err)
	}
	return nil
}

// Delivered takes what waits under an id out of the queue, but for copies of
// it; what is not there is none to take.
func Delivered(tx *world.Tx, service, id string) error {
	return Dequeue(tx, fakes.Delivery{Service: service, ID: id})
}

// Dequeue takes a delivery out of the queue; one that is not there is none
// to take. Who carries out an attempt takes it out before it tells the fake.
func Dequeue(tx *world.Tx, d fakes.Delivery) error {
	id := deliveryID(d)
	if _, ok := tx.Get(fakes.DeliveriesCollection, id); !ok {
		return nil
	}
	if err := tx.Delete(fakes.DeliveriesCollection, id); err != nil {
		return fmt.Errorf("delivery: %w", err)
	}
	return nil
}

// Deliveries walks what waits to be delivered, by when it is due; what is due
// at one instant comes in the order in which it was queued.
func Deliveries(r world.Ranker) iter.Seq[fakes.Delivery] {
	return func(yield func(fakes.Delivery) bool) {
		for record := range r.Ascending(fakes.DeliveriesCollection, "due", math.MinInt64) {
			if !yield(delivery(record.Value())) {
				return
			}
		}
	}
}

// Waiting gives the delivery that waits under an id.
func Waiting(r world.Getter, service, id string) (fakes.Delivery, bool) {
	return Queued(r, fakes.Delivery{Service: service, ID: id})
}

// Queued gives what waits in the place of a delivery: it, or a later attempt.
func Queued(r world.Getter, d fakes.Delivery) (fakes.Delivery, bool) {
	return DeliveryOf(r, deliveryID(d))
}

// DeliveryOf reads a delivery by the id of its record.
func DeliveryOf(r world.Getter, record string) (fakes.Delivery, bool) {
	found, ok := r.Get(fakes.DeliveriesCollection, record)
	if !ok {
		return fakes.Delivery{}, false
	}
	return delivery(found.Value()), true
}

func delivery(value map[string]any) fakes.Delivery {
	attempt, _ := value["attempt"].(int64)
	d := fakes.Delivery{
		Service: Text(value, "service"), ID: Text(value, "id"), Method: Text(value, "method"), URL: Text(value, "url"),
		Header: map[string]string{}, Body: []byte(Text(value, "body")), Attempt: int(attempt), Due: time.Unix(0, cast.Int(value["due"])).UTC(),
		Event: Text(value, "event"), Renamed: Text(value, "renamed"), Copy: int(cast.Int(value["copy"])), Spoilt: value["spoilt"] == true,
	}
	if packed := Text(value, "base64"); packed != "" {
		d.Body, _ = base64.StdEncoding.DecodeString(packed) // Deliver wrote it
	}
	header, _ := value["header"].(map[string]any)
	for name := range header {
		d.Header[name] = Text(header, name)
	}
	return d
}

func deliveryID(d fakes.Delivery) string {
	id := d.Service + "/" + d.ID
	if d.Copy > 0 {
		id += "/copy/" + strconv.Itoa(d.Copy)
	}
	return id
}
