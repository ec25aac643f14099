package stripe

import "maps"

// handlers maps each operation to what answers it.
func handlers() map[string]handler {
	all := map[string]handler{}
	for _, some := range []map[string]handler{
		paying(), telling(), catalogue(), billing(), subscribing(), accounting(),
	} {
		maps.Copy(all, some)
	}
	return all
}

// paying takes money, and gives it back.
func paying() map[string]handler {
	return map[string]handler{
		"GetCustomers":                                    listCustomers,
		"PostCustomers":                                   createCustomer,
		"GetCustomersSearch":                              searchIn(customers),
		"GetCustomersCustomer":                            getCustomer,
		"PostCustomersCustomer":                           updateCustomer,
		"DeleteCustomersCustomer":                         deleteCustomer,
		"GetCustomersCustomerPaymentMethods":              listCustomerMethods,
		"GetCustomersCustomerPaymentMethodsPaymentMethod": getCustomerMethod,

		"GetPaymentMethods":                     listMethods,
		"PostPaymentMethods":                    createMethod,
		"GetPaymentMethodsPaymentMethod":        getMethod,
		"PostPaymentMethodsPaymentMethod":       updateMethod,
		"PostPaymentMethodsPaymentMethodAttach": attachMethod,
		"PostPaymentMethodsPaymentMethodDetach": detachMethod,

		"GetPaymentIntents":               listIntents,
		"PostPaymentIntents":              createIntent,
		"GetPaymentIntentsSearch":         searchIn(paymentIntents),
		"GetPaymentIntentsIntent":         getIntent,
		"PostPaymentIntentsIntent":        updateIntent,
		"PostPaymentIntentsIntentConfirm": confirmIntent,
		"PostPaymentIntentsIntentCapture": captureIntent,
		"PostPaymentIntentsIntentCancel":  cancelIntent,

		"GetSetupIntents":               listSetups,
		"PostSetupIntents":              createSetup,
		"GetSetupIntentsIntent":         getSetup,
		"PostSetupIntentsIntent":        updateSetup,
		"PostSetupIntentsIntentConfirm": confirmSetup,
		"PostSetupIntentsIntentCancel":  cancelSetup,

		"GetCharges":               listCharges,
		"GetChargesSearch":         searchIn(charges),
		"GetChargesCharge":         getCharge,
		"PostChargesCharge":        updateCharge,
		"PostChargesChargeCapture": captureCharge,
		"GetChargesChargeRefunds":  listChargeRefunds,

		"GetRefunds":              listRefunds,
		"PostRefunds":             createRefund,
		"GetRefundsRefund":        getRefund,
		"PostRefundsRefund":       updateRefund,
		"PostRefundsRefundCancel": cancelRefund,
	}
}

// telling says what came of it all.
func telling() map[string]handler {
	return map[string]handler{
		"GetDisputes":                           listDisputes,
		"GetDisputesDispute":                    getDispute,
		"PostDisputesDispute":                   updateDispute,
		"PostDisputesDisputeClose":              closeDispute,
		"GetEvents":                             listEvents,
		"GetEventsId":                           getEvent,
		"GetWebhookEndpoints":                   listEndpoints,
		"PostWebhookEndpoints":                  createEndpoint,
		"GetWebhookEndpointsWebhookEndpoint":    getEndpoint,
		"PostWebhookEndpointsWebhookEndpoint":   updateEndpoint,
		"DeleteWebhookEndpointsWebhookEndpoint": deleteEndpoint,
	}
}

// catalogue says what is for sale, at what price, and where.
func catalogue() map[string]handler {
	return map[string]handler{
		"GetProducts": listProducts, "PostProducts": createProduct, "GetProductsSearch": searchIn(products),
		"GetProductsId": getProduct, "PostProductsId": updateProduct, "DeleteProductsId": deleteProduct,
		"GetPrices": listPrices, "PostPrices": createPrice, "GetPricesSearch": searchIn(prices),
		"GetPricesPrice": getPrice, "PostPricesPrice": updatePrice,
		"GetPlans": listPlans, "PostPlans": createPlan, "GetPlansPlan": getPlan, "PostPlansPlan": updatePlan, "DeletePlansPlan": deletePlan,
		"GetCoupons": listCoupons, "PostCoupons": createCoupon,
		"GetCouponsCoupon": getCoupon, "PostCouponsCoupon": updateCoupon, "DeleteCouponsCoupon": deleteCoupon,
		"GetPromotionCodes": listPromotionCodes, "PostPromotionCodes": createPromotionCode,
		"GetPromotionCodesPromotionCode": getPromotionCode, "PostPromotionCodesPromotionCode": updatePromotionCode,
		"GetPaymentLinks": listLinks, "PostPaymentLinks": createLink,
		"GetPaymentLinksPaymentLink": getLink, "PostPaymentLinksPaymentLink": updateLink,
		"GetPaymentLinksPaymentLinkLineItems": listLinkItems,
		"GetCheckoutSessions":                 listSessions, "PostCheckoutSessions": createSession,
		"GetCheckoutSessionsSession": getSession, "PostCheckoutSessionsSession": updateSession,
		"PostCheckoutSessionsSessionExpire":   expireSession,
		"GetCheckoutSessionsSessionLineItems": listSessionItems,
	}
}

// billing asks for money by invoice.
func billing() map[string]handler {
	return map[string]handler{
		"GetInvoiceitems": listInvoiceItems, "PostInvoiceitems": createInvoiceItem,
		"GetInvoiceitemsInvoiceitem": getInvoiceItem, "PostInvoiceitemsInvoiceitem": updateInvoiceItem,
		"DeleteInvoiceitemsInvoiceitem": deleteInvoiceItem,
		"GetInvoices":                   listInvoices, "PostInvoices": createInvoice, "GetInvoicesSearch": searchIn(invoices),
		"PostInvoicesCreatePreview": previewInvoice, "GetInvoicesUpcoming": upcomingInvoice,
		"GetInvoicesInvoice": getInvoice, "PostInvoicesInvoice": updateInvoice, "DeleteInvoicesInvoice": deleteInvoice,
		"PostInvoicesInvoiceFinalize": finalizeInvoice, "PostInvoicesInvoicePay": payInvoice,
		"PostInvoicesInvoiceAttachPayment": attachPayment, "PostInvoicesInvoiceSend": sendInvoice,
		"PostInvoicesInvoiceVoid": voidInvoice, "PostInvoicesInvoiceMarkUncollectible": writeOffInvoice,
		"GetInvoicesInvoiceLines": listInvoiceLines,
		"GetInvoicePayments":      listInvoicePayments, "GetInvoicePaymentsInvoicePayment": getInvoicePayment,
		"GetCreditNotes": listCreditNotes, "PostCreditNotes": createCreditNote, "GetCreditNotesId": getCreditNote,
		"PostCreditNotesId": updateCreditNote, "PostCreditNotesIdVoid": voidCreditNote,
		"GetCreditNotesCreditNoteLines": listCreditNoteLines,
	}
}

// subscribing bills again and again.
func subscribing() map[string]handler {
	return map[string]handler{
		"GetSubscriptions": listSubscriptions, "PostSubscriptions": createSubscription,
		"GetSubscriptionsSearch":                   searchIn(subscriptions),
		"GetSubscriptionsSubscriptionExposedId":    getSubscription,
		"PostSubscriptionsSubscriptionExposedId":   updateSubscription,
		"DeleteSubscriptionsSubscriptionExposedId": deleteSubscription,
		"PostSubscriptionsSubscriptionResume":      resumeSubscription,
		"GetSubscriptionItems":                     listSubscriptionItems,
		"PostSubscriptionItems":                    createSubscriptionItem,
		"GetSubscriptionItemsItem":                 getSubscriptionItem,
		"PostSubscriptionItemsItem":                updateSubscriptionItem,
		"DeleteSubscriptionItemsItem":              deleteSubscriptionItem,
	}
}

// accounting tells where the money is.
func accounting() map[string]handler {
	return map[string]handler{
		"GetBalance": getBalance, "GetBalanceTransactions": listBalanceTransactions, "GetBalanceTransactionsId": getBalanceTransaction,
		"GetPayouts": listPayouts, "PostPayouts": createPayout, "GetPayoutsPayout": getPayout,
		"PostPayoutsPayout": updatePayout, "PostPayoutsPayoutCancel": cancelPayout,
		"GetTransfers": listTransfers, "PostTransfers": createTransfer, "GetTransfersTransfer": getTransfer, "PostTransfersTransfer": updateTransfer,
	}
}
