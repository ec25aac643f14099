package exchange

import "parity/faults/trail"

// check holds what the fake itself said against its contract, where that was
// asked for. It is made before any fault has its say, so that it is quiet about
// what faults alter or say instead, and about nothing else.
func (x *Exchange) check() {
	if !x.line.checks || x.reply.Status == 0 || x.op == nil {
		return
	}
	for _, v := range x.op.CheckReply(x.reply.Status, x.reply.Header.Get("Content-Type"), x.reply.Body) {
		x.entry.Breaches = append(x.entry.Breaches, trail.Violation{In: v.In, Pointer: v.Pointer, Rule: v.Rule, Message: v.Message})
	}
}
