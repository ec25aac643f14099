package contain_test

import (
	"os"
	"testing"

	"parity/gateway/contain"
)

func TestMain(m *testing.M) {
	contain.Stage()
	os.Exit(m.Run())
}
