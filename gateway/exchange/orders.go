package exchange

import (
	"net/http"
	"strconv"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs"
)

// mostEarlier bounds how many earlier calls are asked whether they fit.
const mostEarlier = 1000

// ordered is what a profile's orders ask of one operation.
type ordered struct {
	wants []*profiles.Order // it wants others before it
	kept  []*profiles.Order // others want it before them
}

// ordersOf gathers what a profile's orders ask of an operation; nil: nothing.
func ordersOf(all []profiles.Order, op *specs.Operation) *ordered {
	var o ordered
	for i := range all {
		if matches(all[i].Each, op) {
			o.wants = append(o.wants, &all[i])
		}
		if matches(all[i].Needs, op) {
			o.kept = append(o.kept, &all[i])
		}
	}
	if o.wants == nil && o.kept == nil {
		return nil
	}
	return &o
}

func matches(patterns []faults.Pattern, op *specs.Operation) bool {
	for _, p := range patterns {
		if p.Match(op) {
			return true
		}
	}
	return false
}

// outOfOrder refuses the call where an order of the profile wants another one
// before it that was not made; it tells whether it did.
func (x *Exchange) outOfOrder(t *run.Turn) bool {
	if x.known.orders == nil {
		return false
	}
	for _, o := range x.known.orders.wants {
		if x.cameBefore(t, o) {
			continue
		}
		message := "Out of order (" + o.Name + "). " + o.Words
		x.trouble(trail.Answered, fakes.Problem{Kind: fakes.OutOfOrder, Status: http.StatusConflict, Message: message}, http.StatusConflict, "out-of-order", message)
		x.entry.Note = message
		return true
	}
	return false
}

// cameBefore tells whether a call that an order wants was made.
func (x *Exchange) cameBefore(t *run.Turn, o *profiles.Order) bool {
	asked := 0
	for record := range x.asBefore(t).Find(fakes.OrdersCollection, "order", o.Name, 0) {
		if asked++; asked > mostEarlier {
			return false
		}
		at, _ := record.Value()["at"].(int64)
		if o.Within > 0 && t.Now.Sub(time.Unix(0, at)) > o.Within {
			return false // those that follow are older
		}
		if o.Where == nil {
			return true
		}
		if fits, err := o.Where.Bool(map[string]any{"earlier": record.Value()["call"], "later": x.orderVars()}); err == nil && fits {
			return true
		}
	}
	return false
}

// asBefore is the world that the call comes to: of a part, with what those before
// it did.
func (x *Exchange) asBefore(t *run.Turn) world.Reader {
	if x.within.of != nil {
		return t.Tx()
	}
	return t.State.World
}

// partName tells the parts of one call apart; "" where it came by itself.
func (x *Exchange) partName() string {
	if x.within.of == nil {
		return ""
	}
	return "." + strconv.Itoa(x.entry.Part)
}

// remember keeps a call that succeeded for those that want it before them.
func (x *Exchange) remember(t *run.Turn) {
	if x.known.orders == nil || x.reply.Status/100 != 2 {
		return
	}
	for _, o := range x.known.orders.kept {
		id := o.Name + "/" + strconv.FormatUint(t.State.Seq+1, 10) + x.partName()
		value := map[string]any{"id": id, "order": o.Name, "at": t.Now.UnixNano(), "call": x.orderVars()}
		if _, err := t.Tx().Insert(fakes.OrdersCollection, id, value); err != nil {
			x.line.log.Error("call not remembered", "order", kit.Clip(o.Name), "error", err)
		}
	}
}

// orderVars is a call as orders speak of it, without what the contract calls a
// password.
func (x *Exchange) orderVars() map[string]any {
	path := make(map[string]any, len(x.input.Path))
	for name, value := range x.input.Path {
		path[name] = value
	}
	body, _ := world.Normalise(plainly(x.rev.Profile.Secrets, x.op, orEmpty(x.input.Body))).(map[string]any)
	return map[string]any{"path": path, "query": orEmpty(x.input.Query), "body": orEmpty(body), "identity": x.identity}
}
