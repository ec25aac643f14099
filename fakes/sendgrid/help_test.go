package sendgrid_test

import (
	"net/url"
	"strconv"
)

func escape(text string) string { return url.QueryEscape(text) }

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
