package approvals

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const refunded = `[
	{"op": "create", "record": "stripe.refunds/(new)", "after": {"id": "re_1", "amount": 9007199254740993, "currency": "usd"}},
	{"op": "update", "record": "stripe.charges/ch_1", "fields": {"refund": [null, "re_1"], "amount_refunded": [0, 50]}},
	{"op": "delete", "record": "stripe.coupons/c_1", "before": {"id": "c_1", "name": "x"}}
]`

func TestAnotherCallThanExpectedIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, is string
		want     []string
	}{
		{"the same", refunded, nil},
		{"another id of what is new", `[
			{"op": "create", "record": "stripe.refunds/(new)", "after": {"id": "re_2", "amount": 9007199254740993, "currency": "usd", "more": true}},
			{"op": "update", "record": "stripe.charges/ch_1", "fields": {"refund": [null, "re_2"], "amount_refunded": [0, 50]}},
			{"op": "delete", "record": "stripe.coupons/c_1", "before": {"id": "c_1", "name": "x", "more": true}}
		]`, nil},
		{"one digit", `[
			{"op": "create", "record": "stripe.refunds/(new)", "after": {"id": "re_1", "amount": 9007199254740992, "currency": "usd"}},
			{"op": "update", "record": "stripe.charges/ch_1", "fields": {"refund": [null, "re_1"], "amount_refunded": [0, 50], "paid": [true, false]}},
			{"op": "create", "record": "stripe.refunds/(new)", "after": {"id": "re_9", "amount": 1, "currency": "eur"}}
		]`, []string{
			`+ stripe.refunds/(new): amount is 9007199254740992, and 9007199254740993 is expected`,
			`~ stripe.charges/ch_1: paid is true → false, and unchanged is expected`,
			`+ stripe.refunds/(new) is not expected`,
			`- stripe.coupons/c_1 is expected and would not be`,
		}},
		{"nothing", `[]`, []string{
			`+ stripe.refunds/(new) is expected and would not be`,
			`~ stripe.charges/ch_1 is expected and would not be`,
			`- stripe.coupons/c_1 is expected and would not be`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want, err := ReadExpected([]byte(refunded))
			if err != nil {
				t.Fatal(err)
			}
			is, err := ReadExpected([]byte(`{"predicted": {"diff": ` + c.is + `}}`))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, Unexpected(want, is)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
