package sendgrid_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
)

// later is a mail that is to go out in some time, under a new batch id.
func later(r *faketest.Rig, in time.Duration) (batch string, mail m) {
	r.T.Helper()
	batch = r.Must(201, r.JSON("POST", "/v3/mail/batch", nil)).Text("batch_id")
	return batch, with(mailTo("ada@example.net"), m{"send_at": r.Now.Add(in).Unix(), "batch_id": batch})
}

func TestScheduled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	batch, mail := later(r, time.Hour)
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/mail/batch/"+batch, "")), m{"batch_id": batch})
	r.Must(202, send(r, mail))
	r.Wait(59 * time.Minute)
	if len(r.Outbox()) != 0 {
		t.Fatal("it went out too early")
	}
	r.Wait(2 * time.Minute)
	if sent := r.Outbox(); len(sent) != 1 || !sent[0].At.Equal(time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)) {
		t.Fatalf("sent %+v", sent)
	}
}

func TestPastAndOwnTimes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(202, send(r, with(mailTo("ada@example.net"), m{"send_at": r.Now.Add(-time.Hour).Unix()})))
	if len(r.Outbox()) != 1 {
		t.Error("a time that has passed is now")
	}
	both := with(mailTo("ada@example.net"), m{"send_at": r.Now.Add(time.Hour).Unix()})
	both["personalizations"] = []any{
		m{"to": []any{m{"email": "ada@example.net"}}},
		m{"to": []any{m{"email": "bob@example.net"}}, "send_at": r.Now.Add(time.Minute).Unix()},
	}
	r.Must(202, send(r, both))
	r.Wait(2 * time.Minute)
	if sent := r.Outbox(); len(sent) != 2 || sent[1].To[0] != "bob@example.net" {
		t.Errorf("sent %+v", sent)
	}
	r.Wait(time.Hour)
	if sent := r.Outbox(); len(sent) != 3 || sent[2].To[0] != "ada@example.net" {
		t.Errorf("sent %+v", sent)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	batch, mail := later(r, time.Hour)
	r.Must(202, send(r, mail))
	if g := r.Must(200, r.Send("GET", "/v3/user/scheduled_sends/"+batch, "")); g.Len("") != 0 {
		t.Errorf("nothing is held yet: %s", g.Raw)
	}
	faketest.Want(t, r.Must(404, r.Send("DELETE", "/v3/user/scheduled_sends/"+batch, "")), m{"errors": []any{m{"field": nil, "message": "batch id not found"}}})
	faketest.Want(t, r.Must(201, r.JSON("POST", "/v3/user/scheduled_sends", m{"batch_id": batch, "status": "cancel"})), m{"batch_id": batch, "status": "cancel"})
	r.Must(400, r.JSON("POST", "/v3/user/scheduled_sends", m{"batch_id": batch, "status": "pause"}))
	r.Must(400, r.JSON("POST", "/v3/user/scheduled_sends", m{"batch_id": "made-up", "status": "pause"}))
	r.Must(400, r.JSON("POST", "/v3/user/scheduled_sends", m{"batch_id": batch, "status": "stop"}))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/user/scheduled_sends", "")), m{"0.status": "cancel"})
	r.Wait(2 * time.Hour)
	r.Must(204, r.Send("DELETE", "/v3/user/scheduled_sends/"+batch, ""))
	r.Wait(time.Hour)
	if sent := r.Outbox(); len(sent) != 0 {
		t.Errorf("it was cancelled, and sent: %+v", sent)
	}
}

// A pause holds what is due; what it held goes out when it ends.
func TestPaused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	batch, mail := later(r, time.Hour)
	r.Must(202, send(r, mail))
	r.Must(201, r.JSON("POST", "/v3/user/scheduled_sends", m{"batch_id": batch, "status": "cancel"}))
	r.Must(204, r.JSON("PATCH", "/v3/user/scheduled_sends/"+batch, m{"status": "pause"}))
	r.Wait(3 * time.Hour)
	if len(r.Outbox()) != 0 {
		t.Fatal("it was paused, and sent")
	}
	r.Must(204, r.Send("DELETE", "/v3/user/scheduled_sends/"+batch, ""))
	if len(r.Outbox()) != 1 {
		t.Fatal("the pause is over, and it waits on")
	}
	r.Wait(100 * time.Hour)
	if len(r.Outbox()) != 1 {
		t.Fatal("it was sent again")
	}
}

func TestPausedTooLong(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	batch, mail := later(r, time.Hour)
	r.Must(202, send(r, mail))
	r.Must(201, r.JSON("POST", "/v3/user/scheduled_sends", m{"batch_id": batch, "status": "pause"}))
	r.Wait(80 * time.Hour)
	r.Must(204, r.Send("DELETE", "/v3/user/scheduled_sends/"+batch, ""))
	r.Wait(time.Hour)
	if len(r.Outbox()) != 0 {
		t.Error("72 hours after its time it is given up")
	}
}

func TestOldBatch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	batch, _ := later(r, time.Hour)
	r.Wait(11 * 24 * time.Hour)
	r.Must(400, r.Send("GET", "/v3/mail/batch/"+batch, ""))
}
