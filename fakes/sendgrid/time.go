package sendgrid

import (
	"strconv"
	"time"
)

// seconds writes a wait in whole seconds, rounded up.
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}
