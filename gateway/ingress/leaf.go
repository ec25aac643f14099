package ingress

import (
	"container/list"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// Browsers refuse leaves of more than 398 days and will refuse more than 200
// (CA/Browser Forum ballot SC-081v3).
const (
	leafTime  = 180 * 24 * time.Hour
	leafRenew = 24 * time.Hour // a cached leaf is signed anew this long before its end

	spareLeaves = 64
)

// leaves are the signed certificates, the least recently used going first. One
// host has one leaf, however many handshakes ask for it at once: a client that
// met two for one name and issuer would be right to refuse them.
type leaves struct {
	most   int
	mu     sync.Mutex
	byHost map[string]*list.Element // of *leaf
	recent *list.List

	signing sync.Mutex // one at a time
}

type leaf struct {
	host  string
	ready chan struct{} // closed when cert and err are set
	cert  *tls.Certificate
	err   error
}

func newLeaves(most int) leaves {
	number(&most, 1024)
	return leaves{most: most, byHost: map[string]*list.Element{}, recent: list.New()}
}

// Leaf is the certificate for a host: a name, or an IP address without
// brackets. The chain includes the CA.
func (ca *CA) Leaf(host string) (*tls.Certificate, error) { return ca.leaf(&ca.leaves, host) }

// passing is the certificate for a host whose requests are refused, so that
// they can be told so.
func (ca *CA) passing(host string) (*tls.Certificate, error) { return ca.leaf(&ca.spare, host) }

func (ca *CA) leaf(kept *leaves, host string) (*tls.Certificate, error) {
	host, err := cleanHost(host)
	if err != nil {
		return nil, err
	}
	l, ours := kept.find(host, ca.wall.Now())
	if ours {
		ca.fill(kept, l)
	}
	<-l.ready
	return l.cert, l.err
}

// fill signs a leaf for all who wait for it.
func (ca *CA) fill(kept *leaves, l *leaf) {
	kept.signing.Lock()
	defer kept.signing.Unlock()
	defer close(l.ready)
	if l.cert, l.err = ca.sign(l.host); l.err != nil {
		kept.forget(l)
	}
}

// find gives the leaf of a host, and whether the caller has to sign it.
func (c *leaves) find(host string, now time.Time) (l *leaf, ours bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byHost[host]; ok {
		if l := e.Value.(*leaf); !l.spent(now) {
			c.recent.MoveToFront(e)
			return l, false
		}
		c.recent.Remove(e)
	}
	l = &leaf{host: host, ready: make(chan struct{})}
	c.byHost[host] = c.recent.PushFront(l)
	for c.recent.Len() > c.most {
		oldest := c.recent.Back()
		c.recent.Remove(oldest)
		delete(c.byHost, oldest.Value.(*leaf).host)
	}
	return l, true
}

func (l *leaf) spent(now time.Time) bool {
	select {
	case <-l.ready:
		return l.cert == nil || now.Add(leafRenew).After(l.cert.Leaf.NotAfter)
	default:
		return false
	}
}

func (c *leaves) forget(l *leaf) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byHost[l.host]; ok && e.Value == any(l) {
		c.recent.Remove(e)
		delete(c.byHost, l.host)
	}
}

func (ca *CA) sign(host string) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("a key for %s: %w", host, err)
	}
	serial, err := serialNumber()
	if err != nil {
		return nil, fmt.Errorf("a serial number for %s: %w", host, err)
	}
	now := ca.wall.Now()
	ends := now.Add(leafTime)
	if ends.After(ca.cert.NotAfter) {
		ends = ca.cert.NotAfter
	}
	template := &x509.Certificate{
		SerialNumber:          serial,
		NotBefore:             now.Add(-backdated),
		NotAfter:              ends,
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	if len(host) <= 64 { // the longest common name (RFC 5280, appendix A.1)
		template.Subject = pkix.Name{CommonName: host}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		template.IPAddresses = append(template.IPAddresses, addr.AsSlice())
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.cert, key.Public(), ca.key)
	if err != nil {
		return nil, fmt.Errorf("signing a certificate for %s: %w", host, err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("signing a certificate for %s: %w", host, err)
	}
	return &tls.Certificate{Certificate: [][]byte{der, ca.cert.Raw}, PrivateKey: key, Leaf: parsed}, nil
}
