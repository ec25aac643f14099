package sendgrid

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// Page tokens are opaque; these say where a page begins.

func tokenOf(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("offset:" + strconv.Itoa(offset)))
}

func offsetOf(token string) (int, bool) {
	if token == "" {
		return 0, true
	}
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return 0, false
	}
	digits, found := strings.CutPrefix(string(text), "offset:")
	n, err := strconv.Atoi(digits)
	return n, found && err == nil && n >= 0
}
