package hubspot

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// How many calls an account and a private app may make, unless the account's
// record says otherwise. Source: recorded headers;
// developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines.
const (
	mostDaily       = 250000
	mostTenSecondly = 100
	mostSearches    = 5
	mostSecondly    = 10 // said in a header of old, and not enforced

	day    = 24 * time.Hour
	window = 10 * time.Second
)

// The policies of limits.
const (
	tenSecondly = "TEN_SECONDLY_ROLLING"
	secondly    = "SECONDLY"
	daily       = "DAILY"
)

// settings are what is particular to an account.
type settings struct {
	portalID, appID string
	daily, burst    int
	searches        int
}

// account reads the account's record. Without one it is a made-up account.
func (c *call) account() settings {
	s := settings{portalID: "24681357", appID: "3141592", daily: mostDaily, burst: mostTenSecondly, searches: mostSearches}
	record, ok := c.fake.store.Get(c.Tx, account, account)
	if !ok {
		return s
	}
	if id, _ := record.Value()["portalId"].(string); id != "" {
		s.portalID = id
	}
	if id, _ := record.Value()["appId"].(string); id != "" {
		s.appID = id
	}
	for field, limit := range map[string]*int{"daily": &s.daily, "tenSecondly": &s.burst, "search": &s.searches} {
		if n, ok := record.Value()[field].(int64); ok {
			*limit = int(n)
		}
	}
	return s
}

// portal is the account's id as a number.
func (s settings) portal() int64 {
	n, err := strconv.ParseInt(s.portalID, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// A quota is what is left of a caller's limits after a call.
type quota struct {
	known            bool
	daily, dailyLeft int
	burst, burstLeft int
}

// headers are those of every reply. A search has a limit of its own, of which it
// says nothing: only how many calls are left of the day, as recorded.
func (q quota) headers() []string {
	if !q.known {
		return nil
	}
	ofTheDay := []string{"X-Hubspot-Ratelimit-Daily", strconv.Itoa(q.daily), "X-Hubspot-Ratelimit-Daily-Remaining", strconv.Itoa(q.dailyLeft)}
	if q.burst == 0 {
		return ofTheDay
	}
	return append(ofTheDay,
		"X-Hubspot-Ratelimit-Interval-Milliseconds", "10000",
		"X-Hubspot-Ratelimit-Max", strconv.Itoa(q.burst),
		"X-Hubspot-Ratelimit-Remaining", strconv.Itoa(q.burstLeft),
		"X-Hubspot-Ratelimit-Secondly", strconv.Itoa(mostSecondly),
		"X-Hubspot-Ratelimit-Secondly-Remaining", strconv.Itoa(mostSecondly-1),
	)
}

// spend counts a call against the caller's limits: searches of the account by
// the second, other calls of the app by ten seconds, all by the day.
func (c *call) spend() *refusal {
	if strings.HasSuffix(c.Operation.Path, "/search") {
		all := c.fake.limits.Take(c.Tx, daily, c.settings.daily, day, c.Now)
		c.quota = quota{known: true, daily: all.Limit, dailyLeft: all.Left}
		if all.Over {
			return limited(daily)
		}
		if c.fake.limits.Take(c.Tx, "search", c.settings.searches, time.Second, c.Now).Over {
			return limited(secondly)
		}
		return nil
	}
	each := c.fake.limits.Take(c.Tx, "ten/"+c.Identity, c.settings.burst, window, c.Now)
	all := c.fake.limits.Take(c.Tx, daily, c.settings.daily, day, c.Now)
	c.quota = quota{known: true, daily: all.Limit, dailyLeft: all.Left, burst: each.Limit, burstLeft: each.Left}
	switch {
	case all.Over:
		return limited(daily)
	case each.Over:
		return limited(tenSecondly)
	}
	return nil
}

// limited words a limit. The SDK tells them apart by these very texts.
// Source: @hubspot/api-client, RetryDecorator.
func limited(policy string) *refusal {
	r := &refusal{
		status: http.StatusTooManyRequests, category: "RATE_LIMITS", message: "You have reached your " + strings.ToLower(policy) + " limit.",
		extra: map[string]any{"errorType": "RATE_LIMIT", "policyName": policy},
	}
	switch policy {
	case secondly:
		r.message = "You have reached your secondly limit."
		r.extra["groupName"] = "publicapi:crm:search"
	case daily:
		r.extra["groupName"] = "publicapi:private-apps:daily"
	default:
		r.extra["groupName"] = "publicapi:private-apps"
	}
	return r
}
