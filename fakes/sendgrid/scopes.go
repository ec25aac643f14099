package sendgrid

import (
	"maps"
	"slices"
)

// scopes says which scope each operation wants; "" is any.
// Source: twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/authorization.
var scopes = map[string]string{
	"POST_mail-send": "mail.send",

	"POST_mail-batch":         "mail.batch.create",
	"GET_mail-batch-batch_id": "mail.batch.read",

	"GET_user-scheduled_sends":             "user.scheduled_sends.read",
	"POST_user-scheduled_sends":            "user.scheduled_sends.create",
	"GET_user-scheduled_sends-batch_id":    "user.scheduled_sends.read",
	"PATCH_user-scheduled_sends-batch_id":  "user.scheduled_sends.update",
	"DELETE_user-scheduled_sends-batch_id": "user.scheduled_sends.delete",

	"GET_suppression-bounces":                 "suppression.read",
	"DELETE_suppression-bounces":              "suppression.delete",
	"GET_suppression-bounces-email":           "suppression.read",
	"DELETE_suppression-bounces-email":        "suppression.delete",
	"GET_suppression-blocks":                  "suppression.read",
	"DELETE_suppression-blocks":               "suppression.delete",
	"GET_suppression-blocks-email":            "suppression.read",
	"DELETE_suppression-blocks-email":         "suppression.delete",
	"GET_suppression-spam_reports":            "suppression.read",
	"DELETE_suppression-spam_reports":         "suppression.delete",
	"GET_suppression-spam_reports-email":      "suppression.read",
	"DELETE_suppression-spam_reports-email":   "suppression.delete",
	"GET_suppression-invalid_emails":          "suppression.read",
	"DELETE_suppression-invalid_emails":       "suppression.delete",
	"GET_suppression-invalid_emails-email":    "suppression.read",
	"DELETE_suppression-invalid_emails-email": "suppression.delete",
	"GET_suppression-unsubscribes":            "suppression.read",

	"POST_asm-suppressions-global":                  "asm.groups.suppressions.create",
	"GET_asm-suppressions-global-email":             "asm.groups.suppressions.read",
	"DELETE_asm-suppressions-global-email":          "asm.groups.suppressions.delete",
	"GET_asm-groups":                                "asm.groups.read",
	"POST_asm-groups":                               "asm.groups.create",
	"GET_asm-groups-group_id":                       "asm.groups.read",
	"PATCH_asm-groups-group_id":                     "asm.groups.update",
	"DELETE_asm-groups-group_id":                    "asm.groups.delete",
	"GET_asm-groups-group_id-suppressions":          "asm.groups.suppressions.read",
	"POST_asm-groups-group_id-suppressions":         "asm.groups.suppressions.create",
	"POST_asm-groups-group_id-suppressions-search":  "asm.groups.suppressions.read",
	"DELETE_asm-groups-group_id-suppressions-email": "asm.groups.suppressions.delete",
	"GET_asm-suppressions":                          "asm.groups.suppressions.read",
	"GET_asm-suppressions-email":                    "asm.groups.suppressions.read",

	"GET_templates":                "templates.read",
	"POST_templates":               "templates.create",
	"GET_templates-template_id":    "templates.read",
	"PATCH_templates-template_id":  "templates.update",
	"POST_templates-template_id":   "templates.create",
	"DELETE_templates-template_id": "templates.delete",

	"POST_templates-template_id-versions":                     "templates.versions.create",
	"GET_templates-template_id-versions-version_id":           "templates.versions.read",
	"PATCH_templates-template_id-versions-version_id":         "templates.versions.update",
	"DELETE_templates-template_id-versions-version_id":        "templates.versions.delete",
	"POST_templates-template_id-versions-version_id-activate": "templates.versions.activate.create",

	"GET-messages":           "email_activity.read",
	"GET-v3-messages-msg_id": "email_activity.read",

	"GET_verified_senders":                 "sender_verification_eligible",
	"POST_verified_senders":                "sender_verification_eligible",
	"PATCH_verified_senders-id":            "sender_verification_eligible",
	"DELETE_verified_senders-id":           "sender_verification_eligible",
	"POST_verified_senders-resend-id":      "sender_verification_eligible",
	"GET_verified_senders-verify-token":    "",
	"GET_verified_senders-domains":         "sender_verification_eligible",
	"GET_verified_senders-steps_completed": "sender_verification_eligible",

	"GET_whitelabel-domains":              "whitelabel.read",
	"POST_whitelabel-domains":             "whitelabel.create",
	"GET_whitelabel-domains-domain_id":    "whitelabel.read",
	"DELETE_whitelabel-domains-domain_id": "whitelabel.delete",
	"POST_whitelabel-domains-id-validate": "whitelabel.update",

	"GET_mc-contats":                        "marketing.read",
	"PUT_mc-contacts":                       "marketing.update",
	"DELETE_mc-contacts":                    "marketing.delete",
	"GET_mc-contacts-count":                 "marketing.read",
	"POST_marketing-contacts-batch":         "marketing.read",
	"POST_mc-contacts-search":               "marketing.read",
	"POST_marketing-contacts-search-emails": "marketing.read",
	"GET_marketing-contacts-imports-id":     "marketing.read",
	"GET_mc-contacts-id":                    "marketing.read",
	"GET_mc-lists":                          "marketing.read",
	"POST_mc-lists":                         "marketing.create",
	"GET_mc-lists-id":                       "marketing.read",
	"PATCH_mc-lists-id":                     "marketing.update",
	"DELETE_lists-id":                       "marketing.delete",
	"DELETE_mc-lists-id-contacts":           "marketing.delete",
	"GET_mc-lists-id-contacts-count":        "marketing.read",

	"GET_user-webhooks-event-settings":          "user.webhooks.event.settings.read",
	"POST_user-webhooks-event-settings":         "user.webhooks.event.settings.create",
	"PATCH_user-webhooks-event-settings":        "user.webhooks.event.settings.update",
	"GetAllEventWebhooks":                       "user.webhooks.event.settings.read",
	"GetEventWebhook":                           "user.webhooks.event.settings.read",
	"UpdateEventWebhook":                        "user.webhooks.event.settings.update",
	"DeleteEventWebhook":                        "user.webhooks.event.settings.delete",
	"GET_user-webhooks-event-settings-signed":   "user.webhooks.event.settings.read",
	"PATCH_user-webhooks-event-settings-signed": "user.webhooks.event.settings.update",
	"GetSignedEventWebhook":                     "user.webhooks.event.settings.read",
	"UpdateSignedEventWebhook":                  "user.webhooks.event.settings.update",
	"POST_user-webhooks-event-test":             "user.webhooks.event.test.create",

	"GET_stats":  "stats.global.read",
	"GET_scopes": "",

	"GET_api_keys":               "api_keys.read",
	"create-api-keys":            "api_keys.create",
	"GET_api_keys-api_key_id":    "api_keys.read",
	"PUT_api_keys-api_key_id":    "api_keys.update",
	"PATCH_api_keys-api_key_id":  "api_keys.update",
	"DELETE_api_keys-api_key_id": "api_keys.delete",
}

// allScopes is what a key has that nobody narrowed.
var allScopes = slices.DeleteFunc(slices.Compact(slices.Sorted(maps.Values(scopes))), func(s string) bool { return s == "" })

// listScopes tells what the key may do.
func listScopes(c *call) (answer, *refusal) {
	given := allScopes
	if c.known && c.token.Scopes != nil {
		given = c.token.Scopes
	}
	return ok(map[string]any{"scopes": anys(given)}), nil
}

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, one := range list {
		out[i] = one
	}
	return out
}
