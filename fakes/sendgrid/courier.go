package sendgrid

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// Headers of a signed webhook.
// Source: twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features.
const (
	signatureHeader = "X-Twilio-Email-Event-Webhook-Signature"
	timestampHeader = "X-Twilio-Email-Event-Webhook-Timestamp"
)

// Sign gives the headers of one attempt. The signature is over the timestamp
// and the body, and by RFC 6979 the same for the same ones.
func (f *Fake) Sign(fc *fakes.Call, d fakes.Delivery) http.Header {
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"SendGrid Event API"}}
	c := &call{Call: fc, fake: f}
	endpoint, _, _ := strings.Cut(d.ID, "/")
	record, known := c.get(webhooks, endpoint)
	if !known || cast.Text(record.Value()["public_key"]) == "" {
		return header
	}
	key, has := c.key(endpoint)
	if !has {
		return header
	}
	timestamp := strconv.FormatInt(c.Now.Unix(), 10)
	digest := sha256.Sum256(append([]byte(timestamp), d.Body...))
	signature, err := key.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		return header
	}
	header.Set(signatureHeader, base64.StdEncoding.EncodeToString(signature))
	header.Set(timestampHeader, timestamp)
	return header
}

// key gives the key of an endpoint, which is derived from what was drawn for it
// when it was made.
func (c *call) key(endpoint string) (*ecdsa.PrivateKey, bool) {
	record, known := c.Tx.Get(keysCollection, endpoint)
	if !known {
		return nil, false
	}
	return deriveKey(cast.Text(record.Value()["seed"]))
}

// deriveKey makes a P-256 key of a text: its hash, in the range of the curve.
func deriveKey(seed string) (*ecdsa.PrivateKey, bool) {
	sum := sha256.Sum256([]byte("sendgrid webhook " + seed))
	order := elliptic.P256().Params().N
	scalar := new(big.Int).SetBytes(sum[:])
	scalar.Mod(scalar, new(big.Int).Sub(order, big.NewInt(1))).Add(scalar, big.NewInt(1))
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar.FillBytes(make([]byte, 32)))
	return key, err == nil
}

// publicKey writes a key as SendGrid shows it: base64 of its DER form.
func publicKey(key *ecdsa.PrivateKey) string {
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(der)
}

// pauses are what lies between attempts. SendGrid says only that they grow, and
// that it tries for 24 hours.
var pauses = []time.Duration{
	time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 8 * time.Hour,
}

// Delivered queues the next attempt where the endpoint did not accept.
func (f *Fake) Delivered(fc *fakes.Call, d fakes.Delivery, a fakes.Answer) {
	if a.Taken() || d.Attempt > len(pauses) {
		return
	}
	d.Due = fc.Now.Add(pauses[d.Attempt-1])
	d.Attempt++
	kit.Must(name, kit.Deliver(fc.Tx, d))
}
