package zendesk

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// accountID is the number of the account that a run plays.
const accountID = 22129848

// Sign gives the headers of an attempt. The signature is of the timestamp and
// the body, by the webhook's own secret.
// Source: developer.zendesk.com/documentation/webhooks/verifying.
func (f *Fake) Sign(fc *fakes.Call, d fakes.Delivery) http.Header {
	hookID, event, _ := strings.Cut(d.ID, "/")
	h := kit.Headers(
		"Content-Type", orDefault(d.Header["Content-Type"], jsonKind),
		"User-Agent", "Zendesk Webhook",
		"X-Zendesk-Account-Id", key(accountID),
		"X-Zendesk-Webhook-Id", hookID,
		"X-Zendesk-Webhook-Invocation-Id", invocationID(event),
	)
	hook, ok := fc.Tx.Get(full(webhooks), hookID)
	if !ok {
		return h
	}
	secret, _ := hook.Value()["signing_secret"].(map[string]any)
	at := stamp(fc.Now)
	mac := hmac.New(sha256.New, []byte(cast.Text(secret["secret"])))
	mac.Write([]byte(at))
	mac.Write(d.Body)
	h.Set("X-Zendesk-Webhook-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	h.Set("X-Zendesk-Webhook-Signature-Timestamp", at)
	return h
}

// Delivered sends again what may succeed later: after a conflict up to three
// times, after no answer up to five.
// Source: developer.zendesk.com/documentation/webhooks/anatomy-of-a-webhook-request.
func (f *Fake) Delivered(fc *fakes.Call, d fakes.Delivery, a fakes.Answer) {
	hookID, event, _ := strings.Cut(d.ID, "/")
	c := &call{Call: fc, fake: f}
	c.attempted(invocationID(event), d, a)
	most := 0
	switch {
	case a.Status == 0:
		most = 5
	case a.Status == http.StatusConflict:
		most = 3
	}
	if _, ok := fc.Tx.Get(full(webhooks), hookID); !ok || d.Attempt > most {
		return
	}
	again := d
	again.Attempt++
	again.Due = fc.Now.Add(time.Duration(d.Attempt) * 15 * time.Second)
	kit.Must(name, kit.Deliver(fc.Tx, again))
}

// uuid draws a random UUID.
func uuid(mint func(string, int) string) string {
	sum := sha256.Sum256([]byte(mint("", 22)))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	s := hex.EncodeToString(sum[:16])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
