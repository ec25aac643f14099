package contain

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"parity/fakes/clock"
)

func TestEqualAttemptsAreToldTogetherAndManyAsFew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newAttempts(clock.System{})
		try := func(host byte, port uint16) {
			a.add(Attempt{Protocol: "tcp", To: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, host}), port)})
		}
		told := func() (found []Attempt) {
			for {
				select {
				case one := <-a.told:
					found = append(found, one)
				default:
					return found
				}
			}
		}
		try(1, 22)
		a.tell(false)
		for range 5 {
			try(1, 22)
		}
		a.tell(false)
		if found := told(); len(found) != 1 || found[0].Times != 1 {
			t.Errorf("at once: %v", found)
		}
		time.Sleep(toldAgain)
		a.tell(false)
		if found := told(); len(found) != 1 || found[0].Times != 5 {
			t.Errorf("after a while: %v", found)
		}
		for port := range uint16(2000) {
			try(1, port+100)
			try(byte(port%200), port+100)
		}
		a.tell(true)
		times := 0
		found := told()
		for _, one := range found {
			times += one.Times
		}
		if times != 4000 || len(found) > mostAddresses+2 {
			t.Errorf("%d attempts were told as %d, %d times in all", 4000, len(found), times)
		}
	})
}

func FuzzAttemptIn(f *testing.F) {
	f.Add([]byte{0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 1, 0, 22, 1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0x50, 0x14, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{0x60, 0, 0, 0})
	f.Fuzz(func(t *testing.T, packet []byte) {
		if one, ok := attemptIn(packet); ok && !one.To.Addr().IsValid() {
			t.Errorf("an attempt at no address: %+v", one)
		}
	})
}
