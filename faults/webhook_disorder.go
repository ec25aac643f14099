package faults

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
	"parity/specs/words"
)

// webhookDisorder has webhooks go astray between the service and its endpoint.
//
//	queued       A B ─▶
//	twice        A B A B      out-of-order   B A       missing       ·
//	late         ┄┄┄┄ A B     badly-signed   A! B!
func webhookDisorder() *Fault {
	return &Fault{
		Name:     "webhook-disorder",
		Phase:    After,
		Summary:  "The webhooks that the call causes come twice, late, out of order, badly signed, or never; the reply is right.",
		Reaction: "One effect for each logical event; a 2xx to the double, a refusal to what is badly signed.",
		Judging:  Judging{Class: Redelivered},
		Unswept:  "it is about webhooks",
		Example: `doubled-webhooks:
  call: stripe POST /v1/refunds
  inject: webhook-disorder
  with: {how: twice, delays: [1m, 1h]}`,
		Params: []Param{
			{
				Name: "how", Kind: Choice, Choices: []string{"twice", "twice-new-id", "late", "out-of-order", "missing", "badly-signed"}, Default: "twice",
				Doc: "twice: the same event once more after each delay; twice-new-id: so, under ids of their own; late: by the first delay; out-of-order: the last first, a delay apart, one that is alone later by a delay; " +
					"missing: never sent; badly-signed: the first attempt of each has a signature that is not right", Example: "out-of-order",
			},
			{Name: "delays", Kind: Names, Doc: "a duration on the run's clock, or a list of them for doubles; 8s for doubles and for order, 1h for late", Example: "[1m, 1h]"},
		},
		build: func(a Args) (Injection, error) {
			d := disorder{how: a.text("how")}
			for _, text := range a.names("delays") {
				delay, err := ParseDuration(text)
				if err != nil || delay <= 0 || delay > 30*24*time.Hour {
					return nil, &ArgError{Key: "delays", Message: fmt.Sprintf("%q is not a duration of up to 30 days with its unit, such as 40s", text)}
				}
				d.delays = append(d.delays, delay)
			}
			switch {
			case len(d.delays) > mostCopies:
				return nil, &ArgError{Key: "delays", Message: fmt.Sprintf("%d are more than %d", len(d.delays), mostCopies)}
			case len(d.delays) > 0 && (d.how == "missing" || d.how == "badly-signed"):
				return nil, &ArgError{Key: "delays", Message: "what is " + d.how + " has no delay"}
			case len(d.delays) > 1 && !d.doubles():
				return nil, &ArgError{Key: "delays", Message: d.how + " takes one delay"}
			case len(d.delays) == 0 && d.how == "late":
				d.delays = []time.Duration{time.Hour}
			case len(d.delays) == 0:
				d.delays = []time.Duration{8 * time.Second}
			}
			return d, nil
		},
	}
}

// mostCopies bounds how often one event comes again: services have been seen
// to repeat one 46 times.
const mostCopies = 64

type disorder struct {
	how    string
	delays []time.Duration
}

func (d disorder) doubles() bool { return strings.HasPrefix(d.how, "twice") }

// Misfit wants a service that sends webhooks.
func (d disorder) Misfit(op *specs.Operation, fake fakes.Fake) string {
	if _, ok := fake.(fakes.WebhookSender); fake != nil && !ok {
		return op.Service + " sends no webhooks"
	}
	return ""
}

func (d disorder) Apply(p *Plan, _ CallContext) Mark {
	p.Requeue(d.requeue)
	return Mark{}
}

// requeue changes what waits. Nothing that it writes can fail: what it writes
// was written before.
func (d disorder) requeue(post *Post) Done {
	did, err := "", error(nil)
	switch queued := post.Queued; d.how {
	case "missing":
		for _, one := range queued {
			err = first(err, kit.Dequeue(post.Tx, one))
		}
		did = "took back " + words.Count(len(queued), "webhook")
	case "badly-signed":
		signs := func(one fakes.Delivery) bool {
			for name := range post.Headers(one) {
				if kit.Signs(name) {
					return true
				}
			}
			return false
		}
		if queued = slices.DeleteFunc(slices.Clone(queued), func(one fakes.Delivery) bool { return !signs(one) }); len(queued) == 0 {
			return Nothing("the webhooks that the call queued are not signed")
		}
		for _, one := range queued {
			one.Spoilt = true
			err = first(err, kit.Deliver(post.Tx, one))
		}
		did = "spoilt the signature of " + words.Count(len(queued), "webhook")
	case "late":
		for _, one := range queued {
			one.Due = one.Due.Add(d.delays[0])
			err = first(err, kit.Deliver(post.Tx, one))
		}
		did = fmt.Sprintf("held back %s for %v", words.Count(len(queued), "webhook"), d.delays[0])
	case "out-of-order":
		did, err = d.reverse(post)
	default:
		return d.again(post)
	}
	if err != nil {
		return Nothing(err.Error())
	}
	return Done{Did: did}
}

// reverse has the last come first. One that is alone is held back, for those of
// later calls to overtake it.
func (d disorder) reverse(post *Post) (did string, err error) {
	queued := slices.Clone(post.Queued)
	slices.SortStableFunc(queued, func(a, b fakes.Delivery) int { return a.Due.Compare(b.Due) })
	slices.Reverse(queued)
	for i, one := range queued {
		one.Due = queued[len(queued)-1].Due.Add(time.Duration(i) * d.delays[0])
		if len(queued) == 1 {
			one.Due = one.Due.Add(d.delays[0])
		}
		err = first(err, kit.Deliver(post.Tx, one))
	}
	if len(queued) == 1 {
		return fmt.Sprintf("held back 1 webhook for %v", d.delays[0]), err
	}
	return "reversed " + words.Count(len(queued), "webhook"), err
}

// again queues what is queued once more after each delay.
func (d disorder) again(post *Post) Done {
	n := 0
	for _, one := range post.Queued {
		if d.how == "twice-new-id" && one.Event == "" {
			continue // it shows no id that could be another
		}
		for i, delay := range d.delays {
			more := one
			more.Copy, more.Due = one.Copy+i+1, one.Due.Add(delay)
			if d.how == "twice-new-id" {
				purpose := "event " + one.ID + " " + strconv.Itoa(i)
				digit, from := 0, strings.LastIndexByte(one.Event, '_')+1
				if strings.Trim(one.Event, "0123456789") == "" {
					from = 1 // a number begins with no zero
				}
				more.Renamed = kit.Respell(one.Event, from, func(most int) int {
					digit++
					return 1 + int(post.Draw(purpose+" "+strconv.Itoa(digit))*float64(most))
				})
				more.Body = bytes.ReplaceAll(one.Body, []byte(one.Event), []byte(more.Renamed))
			}
			if err := kit.Deliver(post.Tx, more); err != nil {
				return Nothing(err.Error())
			}
		}
		n++
	}
	if n == 0 {
		return Nothing("the webhooks that the call queued show no ids")
	}
	did := fmt.Sprintf("queued %s %d times more", words.Count(n, "webhook"), len(d.delays))
	if len(d.delays) == 1 {
		did = "queued " + words.Count(n, "webhook") + " once more"
	}
	if d.how == "twice-new-id" {
		did += ", under another id"
	}
	return Done{Did: did}
}

// first is the earlier of two errors.
func first(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

var _ Requirer = disorder{}

// Disorder is what was done to webhooks.
type Disorder struct{ More, Forged, Reversed bool }

// DisorderOf reads it from the words for what the fault did.
func DisorderOf(did string) Disorder {
	return Disorder{More: strings.Contains(did, "more"), Forged: strings.Contains(did, "signature"), Reversed: strings.Contains(did, "revers")}
}
