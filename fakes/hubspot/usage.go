package hubspot

import "time"

// getUsage tells how many calls were made today, this one among them.
func getUsage(c *call) (answer, *refusal) {
	midnight := c.Now.UTC().Truncate(day)
	name := "private-apps-api-calls-daily"
	return ok(map[string]any{
		"name": name, "usageLimit": int64(c.quota.daily), "currentUsage": int64(c.quota.daily - c.quota.dailyLeft),
		"collectedAt": c.now(), "fetchStatus": "SUCCESS", "resetsAt": instant(midnight.Add(day).Add(-time.Millisecond)),
	})
}

func getDetails(c *call) (answer, *refusal) {
	return ok(map[string]any{
		"portalId": c.settings.portal(), "accountType": "STANDARD", "timeZone": "US/Eastern", "companyCurrency": "USD",
		"additionalCurrencies": []any{}, "utcOffset": "-05:00", "utcOffsetMilliseconds": int64(-18000000), "uiDomain": "app.hubspot.com", "dataHostingLocation": "na1",
	})
}
