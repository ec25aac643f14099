package gateway_test

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
