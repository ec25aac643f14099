package hubspot

import (
	"time"

	"parity/fakes/cast"
)

// getUsage tells how many calls were made today, this one among them.
func getUsage(c *call) (answer, *refusal) {
	midnight := c.Now.UTC().Truncate(day)
	name := "private-apps-api-calls-daily"
	return ok(map[string]any{
		"name": name, "usageLimit": int64(c.quota.daily), "currentUsage": int64(c.quota.daily - c.quota.dailyLeft),
		"collectedAt": c.now(), "fetchStatus": "SUCCESS", "resetsAt": instant(midnight.Add(day).Add(-time.Millisecond)),
	})
}

// getTokenInfo tells what a private app's token stands for.
func getTokenInfo(c *call) (answer, *refusal) {
	token := c.text("tokenKey")
	if !wellFormed(token) {
		return answer{}, invalid("The token is not one of a private app")
	}
	scopes := append(append([]string{}, anyScopes...), anyGranularScopes...)
	if known, there := c.fake.tokens.Look(c.Call, c.IdentityOf(token)); there && known.Scopes != nil {
		scopes = known.Scopes
	}
	return ok(map[string]any{"userId": int64(100), "hubId": c.settings.portal(), "appId": whole(c.settings.appID), "scopes": cast.Anys(scopes)})
}

func getDetails(c *call) (answer, *refusal) {
	return ok(map[string]any{
		"portalId": c.settings.portal(), "accountType": "STANDARD", "timeZone": "US/Eastern", "companyCurrency": "USD",
		"additionalCurrencies": []any{}, "utcOffset": "-05:00", "utcOffsetMilliseconds": int64(-18000000), "uiDomain": "app.hubspot.com", "dataHostingLocation": "na1",
	})
}

// getMe tells which account it is, as clients of old ask.
func getMe(c *call) (answer, *refusal) {
	return ok(map[string]any{
		"portalId": c.settings.portal(), "timeZone": "US/Eastern", "accountType": "STANDARD", "currency": "USD", "utcOffset": "-05:00", "utcOffsetMilliseconds": int64(-18000000),
	})
}
