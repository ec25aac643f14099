package credential_test

import (
	"errors"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/gateway/credential"
)

// What a credential is worth follows from what was said of it, and for how long the
// one before it is good: both are easy to have the wrong way round.
func TestWhatACredentialIsWorth(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	const grace = 5 * time.Minute
	type worth [3]string // of generations 0 and 1, and of the newest
	for name, c := range map[string]struct {
		said         []string
		then, beyond worth // at once, and after the grace
	}{
		"nothing said":          {nil, worth{"", "", ""}, worth{"", "", ""}},
		"revoked":               {[]string{credential.Revoked}, worth{"revoked", "revoked", "revoked"}, worth{"revoked", "revoked", "revoked"}},
		"expired":               {[]string{credential.Expired}, worth{"expired", "expired", "expired"}, worth{"expired", "expired", "expired"}},
		"rotated":               {[]string{credential.Rotated}, worth{"", "", ""}, worth{"expired", "", ""}},
		"rotated twice":         {[]string{credential.Rotated, credential.Rotated}, worth{"expired", "", ""}, worth{"expired", "expired", ""}},
		"revoked, then rotated": {[]string{credential.Revoked, credential.Rotated}, worth{"revoked", "", ""}, worth{"revoked", "", ""}},
		"rotated, then revoked": {[]string{credential.Rotated, credential.Revoked}, worth{"revoked", "revoked", "revoked"}, worth{"revoked", "revoked", "revoked"}},
		"rotated, then expired": {[]string{credential.Rotated, credential.Expired}, worth{"expired", "expired", "expired"}, worth{"expired", "expired", "expired"}},
	} {
		w, err := world.New(world.Collection{Name: fakes.GrantsCollection, Hidden: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range c.said {
			tx := w.Begin()
			if what == credential.Rotated {
				credential.Rotate(tx, now, "clerk", "stripe", grace)
			} else if _, err := credential.End(tx, "clerk", "stripe", what); err != nil {
				t.Fatal(err)
			}
			w = tx.Commit()
		}
		s := credential.Of(w, "clerk", "stripe")
		for at, want := range map[time.Time]worth{now: c.then, now.Add(grace): c.beyond} {
			if got := (worth{s.Code(at, 0), s.Code(at, 1), s.Code(at, credential.Newest)}); got != want {
				t.Errorf("%s, %s later: %v, want %v", name, at.Sub(now), got, want)
			}
		}
		if other := credential.Of(w, "clerk", "slack"); other.State != credential.InForce {
			t.Errorf("%s: at another service it is %s", name, other.State)
		}
	}
}

// What was taken back is not said to have run out.
func TestWhatWasRevokedDoesNotExpire(t *testing.T) {
	t.Parallel()
	w, err := world.New(world.Collection{Name: fakes.GrantsCollection, Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	if _, err := credential.End(tx, "clerk", "stripe", credential.Revoked); err != nil {
		t.Fatal(err)
	}
	if s, err := credential.End(tx, "clerk", "stripe", credential.Expired); !errors.Is(err, credential.ErrAlready) || s.State != credential.Revoked {
		t.Errorf("%+v, %v", s, err)
	}
}
