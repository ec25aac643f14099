package gateway_test

// elsewhere switches off, in a bad day, what production-like says of other
// services: it is met there.
const elsewhere = `faults:
  everyday-latency: {enabled: false}
  sandbox-limit: {enabled: false}
  sessions-of-an-hour: {enabled: false}
  lists-move: {enabled: false}
`

// badDays are the bad days of the services that are built in.
func badDays() []meeting {
	return []meeting{
		stripeDay(),
		slackDay(),
		githubDay(),
		sendgridDay(),
		zendeskDay(),
		hubspotDay(),
		notionDay(),
		googlecalendarDay(),
	}
}
