package kit

import (
	"fmt"
	"iter"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

// A Store reads and writes the records of one service. What cannot be written is
// a mistake of the fake, never the caller's: it panics, and the gateway answers
// 500 and journals why. So is what breaks the contract, which Breaches finds.
type Store struct {
	Service  string
	Contract *specs.Contract
}

// Full is the world's name of a collection of the service.
func (s Store) Full(collection string) string { return s.Service + "." + collection }

// Get gives a record by id.
func (s Store) Get(r world.Getter, collection, id string) (*world.Record, bool) {
	return r.Get(s.Full(collection), id)
}

// Find walks the records whose indexed field has a value, newest first.
func (s Store) Find(r world.Reader, collection, field, value string) iter.Seq[*world.Record] {
	return r.Find(s.Full(collection), field, value, 0)
}

// Create writes a new record.
func (s Store) Create(tx *world.Tx, collection, id string, value map[string]any) *world.Record {
	return s.sure(tx.Insert(s.Full(collection), id, value))
}

// Update replaces a record's value.
func (s Store) Update(tx *world.Tx, collection, id string, value map[string]any) *world.Record {
	return s.sure(tx.Update(s.Full(collection), id, value))
}

// Put writes a record, whether there is one of that id or not.
func (s Store) Put(tx *world.Tx, collection, id string, value map[string]any) *world.Record {
	if _, known := s.Get(tx, collection, id); known {
		return s.Update(tx, collection, id, value)
	}
	return s.Create(tx, collection, id, value)
}

// Delete takes a record away.
func (s Store) Delete(tx *world.Tx, collection, id string) {
	s.sure(nil, tx.Delete(s.Full(collection), id))
}

// Breaches holds what a service wrote against its contract: each violation says
// in which record it is. It is for tests of fakes, and for whoever asks for it:
// of a fake whose tests are good it finds nothing, and costs as much as the write.
func Breaches(service fakes.Service, changes []world.Change) []specs.Violation {
	var all []specs.Violation
	for _, c := range changes {
		collection, own := strings.CutPrefix(c.Collection, service.Name+".")
		if !own || c.Op == world.Delete {
			continue
		}
		value, err := world.Decode(c.After)
		Must(service.Name, err)
		for _, v := range service.Contract.CheckRecord(collection, value) {
			v.In = "the record " + collection + " " + c.ID + " at "
			all = append(all, v)
		}
	}
	return all
}

func (s Store) sure(r *world.Record, err error) *world.Record {
	Must(s.Service, err)
	return r
}

// Keep writes bookkeeping, whether there is a record of that id or not. A
// collection that is not declared is a mistake of the fake, and panics.
func Keep(tx *world.Tx, collection, id string, value map[string]any) {
	write := tx.Insert
	if _, known := tx.Get(collection, id); known {
		write = tx.Update
	}
	if _, err := write(collection, id, value); err != nil {
		panic(fmt.Sprintf("%s: %v", collection, err))
	}
}

// Complete holds a fake's handlers, by operation id, against its contract. An
// operation that nothing answers, and an answer to no operation, are errors.
func Complete[H any](contract *specs.Contract, handlers map[string]H) error {
	known := make(map[string]bool, len(contract.Operations))
	for _, operation := range contract.Operations {
		known[operation.ID] = true
		if _, ok := handlers[operation.ID]; !ok {
			return fmt.Errorf("%s: the contract has %s, %s, which nothing answers; add it to the handlers", contract.Service, operation.ID, operation.Name())
		}
	}
	for id := range handlers {
		if !known[id] {
			return fmt.Errorf("%s: %s is answered, and is no operation of the contract", contract.Service, id)
		}
	}
	return nil
}

// Build makes a service that has a contract in specs. The fake says what plays
// it, what its world holds and begins with, and what answers each operation; an
// operation that nothing answers, and an answer to no operation, are errors.
func Build[H any](name string, fake func(*specs.Contract) (fakes.Service, map[string]H)) (fakes.Service, error) {
	contract, err := specs.Builtin(name)
	if err != nil {
		return fakes.Service{}, fmt.Errorf("%s: %w", name, err)
	}
	service, handlers := fake(contract)
	if err := Complete(contract, handlers); err != nil {
		return fakes.Service{}, err
	}
	service.Name, service.Contract, service.Hosts = name, contract, contract.Hosts
	return service, nil
}

// Must panics where there is an error, which then is a mistake of the service's
// fake and never the caller's: the gateway answers 500, and journals why.
func Must(service string, err error) {
	if err != nil {
		panic(fmt.Sprintf("%s fake: %v", service, err))
	}
}
