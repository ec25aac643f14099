package sendgrid

import (
	"maps"

	"parity/fakes/kit"
)

// handlers maps each operation to what answers it.
func handlers() map[string]handler {
	all := map[string]handler{}
	for _, some := range []map[string]handler{mailHandlers(), suppressionHandlers(), templateHandlers(), marketingHandlers(), campaignHandlers(), accountHandlers(), settingHandlers(), resourceHandlers(), countHandlers()} {
		maps.Copy(all, some)
	}
	return all
}

// mailHandlers: what sends mail, and tells what became of it.
func mailHandlers() map[string]handler {
	return map[string]handler{
		"POST_mail-send":                       sendMail,
		"POST_mail-batch":                      makeBatch,
		"GET_mail-batch-batch_id":              getBatch,
		"GET_user-scheduled_sends":             listScheduled,
		"POST_user-scheduled_sends":            holdScheduled,
		"GET_user-scheduled_sends-batch_id":    getScheduled,
		"PATCH_user-scheduled_sends-batch_id":  on(scheduledSends, "batch_id", noBatch, changeScheduled),
		"DELETE_user-scheduled_sends-batch_id": on(scheduledSends, "batch_id", noBatch, releaseScheduled),
		"GET-messages":                         listMessages,
		"GET-v3-messages-msg_id":               getMessage,
		"GET_stats":                            getStats,
	}
}

// suppressionHandlers: who gets no mail.
func suppressionHandlers() map[string]handler {
	all := map[string]handler{
		"GET_suppression-unsubscribes":                  listSuppressed(unsubscribes),
		"POST_asm-suppressions-global":                  kit.With((*call).addresses, unsubscribeGlobally),
		"GET_asm-suppressions-global-email":             getGlobal,
		"DELETE_asm-suppressions-global-email":          resubscribeGlobally,
		"GET_asm-groups":                                listGroups,
		"POST_asm-groups":                               createGroup,
		"GET_asm-groups-group_id":                       kit.With((*call).group, getGroup),
		"PATCH_asm-groups-group_id":                     kit.With((*call).group, updateGroup),
		"DELETE_asm-groups-group_id":                    kit.With((*call).group, deleteGroup),
		"GET_asm-groups-group_id-suppressions":          kit.With((*call).group, listGroupSuppressions),
		"POST_asm-groups-group_id-suppressions":         kit.With((*call).group, unsubscribeFromGroup),
		"GET_asm-suppressions":                          listLeft,
		"GET_asm-suppressions-email":                    getLeft,
		"POST_asm-groups-group_id-suppressions-search":  kit.With((*call).group, searchGroupSuppressions),
		"DELETE_asm-groups-group_id-suppressions-email": kit.With((*call).group, resubscribeToGroup),
	}
	for _, kind := range []string{bounces, blocks, spamReports, invalidEmails} {
		all["GET_suppression-"+kind] = listSuppressed(kind)
		all["DELETE_suppression-"+kind] = clearSuppressed(kind)
		all["GET_suppression-"+kind+"-email"] = getSuppressed(kind)
		all["DELETE_suppression-"+kind+"-email"] = deleteSuppressed(kind)
	}
	return all
}

// templateHandlers: templates and their versions.
func templateHandlers() map[string]handler {
	return map[string]handler{
		"GET_templates":                                           listTemplates,
		"POST_templates":                                          createTemplate,
		"GET_templates-template_id":                               kit.With((*call).template, getTemplate),
		"PATCH_templates-template_id":                             kit.With((*call).template, updateTemplate),
		"POST_templates-template_id":                              kit.With((*call).template, duplicateTemplate),
		"DELETE_templates-template_id":                            kit.With((*call).template, deleteTemplate),
		"POST_templates-template_id-versions":                     kit.With((*call).template, createVersion),
		"GET_templates-template_id-versions-version_id":           kit.With((*call).version, getVersion),
		"PATCH_templates-template_id-versions-version_id":         kit.With((*call).version, updateVersion),
		"DELETE_templates-template_id-versions-version_id":        kit.With((*call).version, deleteVersion),
		"POST_templates-template_id-versions-version_id-activate": kit.With((*call).version, activateVersion),
	}
}

// marketingHandlers: contacts and lists.
func marketingHandlers() map[string]handler {
	return map[string]handler{
		"GET_mc-contats":                        sampleContacts,
		"PUT_mc-contacts":                       upsertContacts,
		"DELETE_mc-contacts":                    deleteContacts,
		"GET_mc-contacts-count":                 countContacts,
		"POST_marketing-contacts-batch":         batchContacts,
		"POST_mc-contacts-search":               searchContacts,
		"POST_marketing-contacts-search-emails": searchEmails,
		"GET_marketing-contacts-imports-id":     getJob,
		"GET_mc-contacts-id":                    on(contacts, "id", noContact, getContact),
		"GET_mc-lists":                          listLists,
		"POST_mc-lists":                         createList,
		"GET_mc-lists-id":                       kit.With((*call).list, getList),
		"PATCH_mc-lists-id":                     kit.With((*call).list, updateList),
		"DELETE_lists-id":                       kit.With((*call).list, deleteList),
		"DELETE_mc-lists-id-contacts":           kit.With((*call).list, removeFromList),
		"GET_mc-lists-id-contacts-count":        kit.With((*call).list, countList),
	}
}

// campaignHandlers: fields, segments, exports and what is sent to all of them.
func campaignHandlers() map[string]handler {
	all := map[string]handler{
		"GET_mc-field_definitions":                    listFields,
		"POST_mc-field_definitions":                   createField,
		"PATCH_mc-field_definitions-custom_field_id":  on(fields, "custom_field_id", noField, updateField),
		"DELETE_mc-field_definitions-custom_field_id": on(fields, "custom_field_id", noField, deleteField),
		"GET_segments":                                listSegments,
		"POST_segments":                               createSegment,
		"GET_segments-segment_id":                     on(segments, "segment_id", noSegment, getSegment),
		"PATCH_segments-segment_id":                   on(segments, "segment_id", noSegment, updateSegment),
		"DELETE_segments-segment_id":                  on(segments, "segment_id", noSegment, deleteSegment),
		"RefreshSegment":                              on(segments, "segment_id", noSegment, refreshSegment),
		"POST_mc-contacts-exports":                    createExport,
		"GET_marketing-contacts-exports":              listExports,
		"GET_mc-contacts-exports-id":                  on(exports, "id", noExport, getExport),
		"PUT_mc-contacts-imports":                     importContacts,
		"GET_marketing-singlesends":                   listSingleSends,
		"POST_marketing-singlesends":                  createSingleSend,
		"DELETE_marketing-singlesends":                deleteSingleSends,
		"POST_marketing-singlesends-search":           searchSingleSends,
		"GET_marketing-singlesends-categories":        singleSendCategories,
		"GET_marketing-singlesends-id":                on(singleSends, "id", noSingleSend, getSingleSend),
		"POST_marketing-singlesends-id":               on(singleSends, "id", noSingleSend, duplicateSingleSend),
		"PATCH_marketing-singlesends-id":              on(singleSends, "id", noSingleSend, updateSingleSend),
		"DELETE_marketing-singlesends-id":             on(singleSends, "id", noSingleSend, deleteSingleSend),
		"PUT_marketing-singlesends-id-schedule":       on(singleSends, "id", noSingleSend, scheduleSingleSend),
		"DELETE_marketing-singlesends-id-schedule":    on(singleSends, "id", noSingleSend, unscheduleSingleSend),
	}
	return all
}

// accountHandlers: senders, domains, webhooks and keys.
func accountHandlers() map[string]handler {
	return map[string]handler{
		"GET_verified_senders":                      listSenders,
		"POST_verified_senders":                     createSender,
		"PATCH_verified_senders-id":                 kit.With((*call).sender, updateSender),
		"DELETE_verified_senders-id":                kit.With((*call).sender, deleteSender),
		"POST_verified_senders-resend-id":           kit.With((*call).sender, resendSender),
		"GET_verified_senders-verify-token":         verifySender,
		"GET_verified_senders-domains":              poorDomains,
		"GET_verified_senders-steps_completed":      stepsCompleted,
		"GET_whitelabel-domains":                    listDomains,
		"POST_whitelabel-domains":                   createDomain,
		"GET_whitelabel-domains-domain_id":          on(domains, "domain_id", notFound, getDomain),
		"DELETE_whitelabel-domains-domain_id":       on(domains, "domain_id", notFound, deleteDomain),
		"POST_whitelabel-domains-id-validate":       on(domains, "id", notFound, validateDomain),
		"GetAllEventWebhooks":                       listWebhooks,
		"GET_user-webhooks-event-settings":          kit.With((*call).webhook, getWebhook),
		"GetEventWebhook":                           kit.With((*call).webhook, getWebhook),
		"POST_user-webhooks-event-settings":         createWebhook,
		"PATCH_user-webhooks-event-settings":        kit.With((*call).webhook, updateWebhook),
		"UpdateEventWebhook":                        kit.With((*call).webhook, updateWebhook),
		"DeleteEventWebhook":                        kit.With((*call).webhook, deleteWebhook),
		"GET_user-webhooks-event-settings-signed":   kit.With((*call).webhook, getSigned),
		"GetSignedEventWebhook":                     kit.With((*call).webhook, getSigned),
		"PATCH_user-webhooks-event-settings-signed": kit.With((*call).webhook, updateSigned),
		"UpdateSignedEventWebhook":                  kit.With((*call).webhook, updateSigned),
		"POST_user-webhooks-event-test":             testWebhook,
		"GET_scopes":                                listScopes,
		"GET_api_keys":                              listKeys,
		"create-api-keys":                           createKey,
		"GET_api_keys-api_key_id":                   kit.With((*call).apiKey, getKey),
		"PUT_api_keys-api_key_id":                   kit.With((*call).apiKey, updateKey),
		"PATCH_api_keys-api_key_id":                 kit.With((*call).apiKey, updateKey),
		"DELETE_api_keys-api_key_id":                kit.With((*call).apiKey, deleteKey),
	}
}
