package sdktest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v84"
)

// stripeMock is the vendor's own stand-in, at the version that the table in the
// README is about.
const stripeMock = "github.com/stripe/stripe-mock@v0.203.0"

// TestBesideStripeMock lets stripe-go do the same work on our fake and on
// stripe-mock, and prints what each gets right.
func TestBesideStripeMock(t *testing.T) {
	t.Parallel()
	mock := startMock(t)
	ours := serve(t).base
	table := []string{"| question | parity | stripe-mock |", "| --- | --- | --- |"}
	for _, q := range questions() {
		mine, theirs := q.ask(plain(ours)), q.ask(plain(mock))
		table = append(table, fmt.Sprintf("| %s | %s | %s |", q.words, mark(mine), mark(theirs)))
		if mine != nil {
			t.Errorf("%s: %v", q.words, mine)
		}
		if theirs != nil {
			t.Logf("stripe-mock: %s: %v", q.words, theirs)
		}
	}
	found := strings.Join(table, "\n") + "\n"
	t.Log("\n" + found)
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, []byte(found)) {
		t.Error("README.md has another table than this one")
	}
}

func mark(err error) string {
	if err == nil {
		return "yes"
	}
	return "no"
}

// startMock builds stripe-mock from the module cache, and starts it.
func startMock(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	build := exec.Command("go", "install", stripeMock)
	build.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("stripe-mock cannot be had here, so nothing is set beside it: %v\n%s", err, out)
	}
	port := free(t)
	ctx, stop := context.WithCancel(context.Background())
	mock := exec.CommandContext(ctx, filepath.Join(bin, "stripe-mock"), "-http-addr", port)
	if err := mock.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = mock.Wait() }) // it was killed, and says so
	for range 100 {
		if reply, err := http.Get("http://" + port + "/"); err == nil {
			_ = reply.Body.Close()
			return "http://" + port
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("stripe-mock does not answer")
	return ""
}

func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// plain is stripe-go with no settings but an address, and no retries.
func plain(base string) agent {
	config := &stripe.BackendConfig{URL: &base, LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull}, MaxNetworkRetries: stripe.Int64(0)}
	return agent{client: stripe.NewClient("sk_test_parity", stripe.WithBackends(stripe.NewBackendsWithConfig(config))), ctx: context.Background()}
}

// A question is something that the real Stripe does; asking it gives nil where
// a stand-in does it too.
type question struct {
	words string
	ask   func(agent) error
}

func questions() []question {
	return []question{
		{"a request that is well formed is answered in the SDK's types", wellFormed},
		{"a parameter that does not exist is refused", unknownParameter},
		{"what was created is read back as it was sent", readBack},
		{"what was deleted is gone", deletedIsGone},
		{"an intent goes through its states, and its money adds up", statesOfAnIntent},
		{"a card that declines declines, with its code", declines},
		{"a subscription is billed, and its invoice is paid", billsASubscription},
		{"an id that is not there is a 404", absent},
		{"a key with other parameters is refused", otherParameters},
		{"a key that comes again gives the first answer", sameKey},
		{"a list has what was made, page after page", pagesThrough},
		{"a search finds by its clause alone", searches},
		{"changes are told by events", tells},
	}
}

func wrong(format string, args ...any) error { return fmt.Errorf(format, args...) }

func wellFormed(a agent) error {
	_, err := a.client.V1Customers.Create(a.ctx, &stripe.CustomerCreateParams{Email: stripe.String("ada@example.com")})
	return err
}

func unknownParameter(a agent) error {
	params := &stripe.CustomerCreateParams{}
	params.AddExtra("nmae", "Ada")
	_, err := a.client.V1Customers.Create(a.ctx, params)
	return refusedWith(err, http.StatusBadRequest)
}

func refusedWith(err error, status int) error {
	var e *stripe.Error
	if !errors.As(err, &e) || e.HTTPStatusCode != status {
		return wrong("wanted a %d, not %v", status, err)
	}
	return nil
}

func readBack(a agent) (err error) {
	defer caught(&err)
	made := ok(a.client.V1Customers.Create(a.ctx, &stripe.CustomerCreateParams{Name: stripe.String("Ada"), Email: stripe.String("ada@example.com")}))
	read := ok(a.client.V1Customers.Retrieve(a.ctx, made.ID, nil))
	if read.Name != "Ada" || read.Email != "ada@example.com" {
		return wrong("it is %q, %q", read.Name, read.Email)
	}
	return nil
}

func deletedIsGone(a agent) (err error) {
	defer caught(&err)
	made := ok(a.client.V1Products.Create(a.ctx, &stripe.ProductCreateParams{Name: stripe.String("Short-lived")}))
	ok(a.client.V1Products.Delete(a.ctx, made.ID, nil))
	if read, err := a.client.V1Products.Retrieve(a.ctx, made.ID, nil); err == nil && !read.Deleted {
		return wrong("it is still there")
	}
	return nil
}

func statesOfAnIntent(a agent) (err error) {
	defer caught(&err)
	params := visa(4900)
	params.CaptureMethod = stripe.String("manual")
	intent := ok(a.client.V1PaymentIntents.Create(a.ctx, params))
	held := ok(a.client.V1PaymentIntents.Confirm(a.ctx, intent.ID, nil))
	taken := ok(a.client.V1PaymentIntents.Capture(a.ctx, intent.ID, &stripe.PaymentIntentCaptureParams{AmountToCapture: stripe.Int64(4000)}))
	if intent.Status != "requires_confirmation" || held.Status != "requires_capture" || taken.Status != "succeeded" || taken.AmountReceived != 4000 {
		return wrong("%s, %s, %s of %d", intent.Status, held.Status, taken.Status, taken.AmountReceived)
	}
	_, err = a.client.V1PaymentIntents.Capture(a.ctx, intent.ID, nil)
	return refusedWith(err, http.StatusBadRequest)
}

func declines(a agent) error {
	params := visa(900)
	params.PaymentMethod, params.Confirm = stripe.String("pm_card_visa_chargeDeclinedInsufficientFunds"), stripe.Bool(true)
	_, err := a.client.V1PaymentIntents.Create(a.ctx, params)
	var e *stripe.Error
	if !errors.As(err, &e) || e.DeclineCode != "insufficient_funds" {
		return wrong("%v", err)
	}
	return nil
}

func billsASubscription(a agent) error {
	found, err := a.bill(nil)
	if err != nil {
		return err
	}
	if fmt.Sprintf("%v %v %v %v", found["subscription"], found["first"], found["paid"], found["gone"]) != "active [2000 1000] paid canceled" {
		return wrong("%v", found)
	}
	return nil
}

func absent(a agent) error {
	_, err := a.client.V1Customers.Retrieve(a.ctx, "cus_absent", nil)
	return refusedWith(err, http.StatusNotFound)
}

func otherParameters(a agent) error {
	if _, err := a.keyed("Once", "mock-1"); err != nil {
		return err
	}
	_, err := a.keyed("Twice", "mock-1")
	return refusedWith(err, http.StatusBadRequest)
}

func sameKey(a agent) (err error) {
	defer caught(&err)
	if first, again := ok(a.keyed("Once", "mock-2")), ok(a.keyed("Once", "mock-2")); first.ID != again.ID {
		return wrong("%s, then %s", first.ID, again.ID)
	}
	return nil
}

func pagesThrough(a agent) (err error) {
	defer caught(&err)
	made := map[string]bool{}
	for i := range 7 {
		made[ok(a.client.V1Coupons.Create(a.ctx, &stripe.CouponCreateParams{ID: stripe.String(fmt.Sprintf("page-%d", i)), PercentOff: stripe.Float64(5), Duration: stripe.String("once")})).ID] = true
	}
	list := &stripe.CouponListParams{}
	list.Limit = stripe.Int64(3)
	for i, coupon := range ok(first(a.client.V1Coupons.List(a.ctx, list), 50)) {
		delete(made, coupon.ID)
		if i == 49 {
			return wrong("the pages do not end")
		}
	}
	if len(made) > 0 {
		return wrong("%d of 7 are missing", len(made))
	}
	return nil
}

// first reads a list, but not for ever.
func first[T any](pages stripe.Seq2[T, error], most int) ([]T, error) {
	var all []T
	for item, err := range pages {
		if err != nil {
			return nil, err
		}
		if all = append(all, item); len(all) == most {
			break
		}
	}
	return all, nil
}

func searches(a agent) (err error) {
	defer caught(&err)
	search := &stripe.CustomerSearchParams{SearchParams: stripe.SearchParams{Query: "email:'nobody-has-this@example.com'"}}
	if all := ok(first(a.client.V1Customers.Search(a.ctx, search), 5)); len(all) > 0 {
		return wrong("it finds %s for nobody", all[0].Email)
	}
	search.Query = "shoe:'9'"
	_, err = first(a.client.V1Customers.Search(a.ctx, search), 5)
	return refusedWith(err, http.StatusBadRequest)
}

func tells(a agent) (err error) {
	defer caught(&err)
	made := ok(a.client.V1Customers.Create(a.ctx, &stripe.CustomerCreateParams{Name: stripe.String("Told")}))
	for _, event := range ok(first(a.client.V1Events.List(a.ctx, &stripe.EventListParams{Type: stripe.String("customer.created")}), 20)) {
		if event.Data.Object["id"] == made.ID {
			return nil
		}
	}
	return wrong("no event tells of %s", made.ID)
}
