package sendgrid

import "maps"

// handlers maps each operation to what answers it.
func handlers() map[string]handler {
	all := map[string]handler{}
	for _, some := range []map[string]handler{mailHandlers(), suppressionHandlers(), templateHandlers(), marketingHandlers(), accountHandlers()} {
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
		"PATCH_user-scheduled_sends-batch_id":  changeScheduled,
		"DELETE_user-scheduled_sends-batch_id": releaseScheduled,
		"GET-messages":                         listMessages,
		"GET-v3-messages-msg_id":               getMessage,
		"GET_stats":                            getStats,
	}
}

// suppressionHandlers: who gets no mail.
func suppressionHandlers() map[string]handler {
	all := map[string]handler{
		"GET_suppression-unsubscribes":                  listSuppressed(unsubscribes),
		"POST_asm-suppressions-global":                  unsubscribeGlobally,
		"GET_asm-suppressions-global-email":             getGlobal,
		"DELETE_asm-suppressions-global-email":          resubscribeGlobally,
		"GET_asm-groups":                                listGroups,
		"POST_asm-groups":                               createGroup,
		"GET_asm-groups-group_id":                       getGroup,
		"PATCH_asm-groups-group_id":                     updateGroup,
		"DELETE_asm-groups-group_id":                    deleteGroup,
		"GET_asm-groups-group_id-suppressions":          listGroupSuppressions,
		"POST_asm-groups-group_id-suppressions":         unsubscribeFromGroup,
		"GET_asm-suppressions":                          listLeft,
		"GET_asm-suppressions-email":                    getLeft,
		"POST_asm-groups-group_id-suppressions-search":  searchGroupSuppressions,
		"DELETE_asm-groups-group_id-suppressions-email": resubscribeToGroup,
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
		"GET_templates-template_id":                               getTemplate,
		"PATCH_templates-template_id":                             updateTemplate,
		"POST_templates-template_id":                              duplicateTemplate,
		"DELETE_templates-template_id":                            deleteTemplate,
		"POST_templates-template_id-versions":                     createVersion,
		"GET_templates-template_id-versions-version_id":           getVersion,
		"PATCH_templates-template_id-versions-version_id":         updateVersion,
		"DELETE_templates-template_id-versions-version_id":        deleteVersion,
		"POST_templates-template_id-versions-version_id-activate": activateVersion,
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
		"GET_mc-contacts-id":                    getContact,
		"GET_mc-lists":                          listLists,
		"POST_mc-lists":                         createList,
		"GET_mc-lists-id":                       getList,
		"PATCH_mc-lists-id":                     updateList,
		"DELETE_lists-id":                       deleteList,
		"DELETE_mc-lists-id-contacts":           removeFromList,
		"GET_mc-lists-id-contacts-count":        countList,
	}
}

// accountHandlers: senders, domains, webhooks and keys.
func accountHandlers() map[string]handler {
	return map[string]handler{
		"GET_verified_senders":                      listSenders,
		"POST_verified_senders":                     createSender,
		"PATCH_verified_senders-id":                 updateSender,
		"DELETE_verified_senders-id":                deleteSender,
		"POST_verified_senders-resend-id":           resendSender,
		"GET_verified_senders-verify-token":         verifySender,
		"GET_verified_senders-domains":              poorDomains,
		"GET_verified_senders-steps_completed":      stepsCompleted,
		"GET_whitelabel-domains":                    listDomains,
		"POST_whitelabel-domains":                   createDomain,
		"GET_whitelabel-domains-domain_id":          getDomain,
		"DELETE_whitelabel-domains-domain_id":       deleteDomain,
		"POST_whitelabel-domains-id-validate":       validateDomain,
		"GetAllEventWebhooks":                       listWebhooks,
		"GET_user-webhooks-event-settings":          getWebhook,
		"GetEventWebhook":                           getWebhook,
		"POST_user-webhooks-event-settings":         createWebhook,
		"PATCH_user-webhooks-event-settings":        updateWebhook,
		"UpdateEventWebhook":                        updateWebhook,
		"DeleteEventWebhook":                        deleteWebhook,
		"GET_user-webhooks-event-settings-signed":   getSigned,
		"GetSignedEventWebhook":                     getSigned,
		"PATCH_user-webhooks-event-settings-signed": updateSigned,
		"UpdateSignedEventWebhook":                  updateSigned,
		"POST_user-webhooks-event-test":             testWebhook,
		"GET_scopes":                                listScopes,
		"GET_api_keys":                              listKeys,
		"create-api-keys":                           createKey,
		"GET_api_keys-api_key_id":                   getKey,
		"PUT_api_keys-api_key_id":                   updateKey,
		"PATCH_api_keys-api_key_id":                 updateKey,
		"DELETE_api_keys-api_key_id":                deleteKey,
	}
}
