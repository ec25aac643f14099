package fakes_test

import (
	"strings"
	"testing"

	"parity/fakes"
)

type plainFake struct{}

func (plainFake) Answer(*fakes.Call) fakes.Reply { return fakes.Reply{} }

type sortingFake struct{ plainFake }

func (sortingFake) KindOf(credential string) string {
	kind, _, _ := strings.Cut(credential, "-")
	return kind
}

func TestIdentityBeginsWithTheKindOfTheCredential(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fake       fakes.Fake
		credential string
		want       string
	}{
		{plainFake{}, "bot-1", "chat-"},
		{sortingFake{}, "bot-1", "chat-bot-"},
		{sortingFake{}, "", "chat-"},
	} {
		if got := fakes.IdentityPrefix("chat", test.fake, test.credential); got != test.want {
			t.Errorf("%T of %q: %q, want %q", test.fake, test.credential, got, test.want)
		}
	}
}
