package secret

import (
	"hash/crc32"
	"strings"
)

// How whole credentials look after their beginnings, of each vendor that can be
// told. What says of itself that it is made up is none: keys that Parity gives out
// say so.

// stripeKey is 24 letters and digits, or 99 of newer ones.
// Source: docs.stripe.com/keys, and the keys of both kinds that it shows.
func stripeKey(after string) bool {
	return len(after) >= 24 && len(after) <= 247 && alphanumeric(after) && !saysMadeUp(after)
}

// awsKey is sixteen of the alphabet of base 32.
// Source: docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html.
func awsKey(after string) bool {
	return len(after) == 16 && strings.Trim(after, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == "" && !saysMadeUp(after)
}

// googleKey is 35 characters.
// Source: GitHub's list of supported secret scanning patterns; gitleaks.
func googleKey(after string) bool { return len(after) == 35 && !saysMadeUp(after) }

// sendgridKey is 22 characters, a dot, and 43.
func sendgridKey(after string) bool {
	id, key, _ := strings.Cut(after, ".")
	return len(id) == 22 && len(key) == 43 && !strings.Contains(key, ".") && !saysMadeUp(after)
}

// slackToken is two numbers of a bot's, or three of a user's, and a code.
// Source: docs.slack.dev/authentication/tokens, and the patterns of gitleaks.
func slackToken(after string) bool {
	parts := strings.Split(after, "-")
	numbers, code := parts[:len(parts)-1], parts[len(parts)-1]
	if len(numbers) < 2 || len(code) < 24 || !alphanumeric(code) || saysMadeUp(code) {
		return false
	}
	for _, number := range numbers {
		if len(number) < 8 || len(number) > 14 || strings.Trim(number, "0123456789") != "" {
			return false
		}
	}
	return true
}

// Base 62 of GitHub's, and how many digits of it the checksum has.
const (
	base62   = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	checksum = 6
)

// githubToken ends in the CRC-32 of what comes before it, in base 62.
// Source: github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats.
func githubToken(after string) bool {
	if len(after) < 36 || len(after) > 251 || !alphanumeric(after) {
		return false
	}
	at := len(after) - checksum
	sum, digits := crc32.ChecksumIEEE([]byte(after[:at])), [checksum]byte{}
	for i := checksum - 1; i >= 0; i-- {
		digits[i] = base62[sum%uint32(len(base62))]
		sum /= uint32(len(base62))
	}
	return after[at:] == string(digits[:])
}

// githubFine is 22 characters, _, and 59.
func githubFine(after string) bool {
	id, key, _ := strings.Cut(after, "_")
	return len(id) == 22 && len(key) == 59 && alphanumeric(id) && alphanumeric(key) && !saysMadeUp(after)
}

func alphanumeric(s string) bool {
	for i := range len(s) {
		if s[i] == '_' || !word(s[i]) {
			return false
		}
	}
	return true
}
