package stripe

import (
	"maps"

	"parity/fakes/kit"
)

// handlers maps each operation to what answers it.
func handlers() map[string]handler {
	all := map[string]handler{}
	for _, some := range []map[string]handler{
		paying(), telling(), catalogue(), billing(), subscribing(), accounting(), connecting(),
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
		"GetCustomersCustomer":                            theCustomer.shown(),
		"PostCustomersCustomer":                           theCustomer.alive(updateCustomer),
		"DeleteCustomersCustomer":                         theCustomer.alive(deleteCustomer),
		"GetCustomersCustomerPaymentMethods":              theCustomer.by("customer", "customer").alive(listCustomerMethods),
		"GetCustomersCustomerPaymentMethodsPaymentMethod": theCustomer.by("customer", "customer").alive(getCustomerMethod),

		"GetPaymentMethods":                     listMethods,
		"PostPaymentMethods":                    createMethod,
		"GetPaymentMethodsPaymentMethod":        getMethod,
		"PostPaymentMethodsPaymentMethod":       theMethod.on(updateMethod),
		"PostPaymentMethodsPaymentMethodAttach": attachMethod,
		"PostPaymentMethodsPaymentMethodDetach": theMethod.on(detachMethod),

		"GetPaymentIntents":               listIntents,
		"PostPaymentIntents":              createIntent,
		"GetPaymentIntentsSearch":         searchIn(paymentIntents),
		"GetPaymentIntentsIntent":         theIntent.shown(),
		"PostPaymentIntentsIntent":        theIntent.on(updateIntent),
		"PostPaymentIntentsIntentConfirm": theIntent.on(confirmIntent),
		"PostPaymentIntentsIntentCapture": theIntent.on(captureIntent),
		"PostPaymentIntentsIntentCancel":  theIntent.on(cancelIntent),

		"GetSetupIntents":               listSetups,
		"PostSetupIntents":              createSetup,
		"GetSetupIntentsIntent":         theSetup.shown(),
		"PostSetupIntentsIntent":        onSetup("updated", updateSetup),
		"PostSetupIntentsIntentConfirm": onSetup("confirmed", confirmSetup),
		"PostSetupIntentsIntentCancel":  onSetup("canceled", cancelSetup),

		"GetCharges":               listCharges,
		"GetChargesSearch":         searchIn(charges),
		"GetChargesCharge":         theCharge.shown(),
		"PostChargesCharge":        theCharge.on(updateCharge),
		"PostChargesChargeCapture": theCharge.by("charge", "charge").on(captureCharge),
		"GetChargesChargeRefunds":  theCharge.on(listChargeRefunds),

		"PostChargesChargeRefunds":       kit.With((*call).refundable, createRefund),
		"GetChargesChargeRefundsRefund":  kit.With((*call).refundInCharge, theRefund.given),
		"PostChargesChargeRefundsRefund": kit.With((*call).refundInCharge, updateRefund),

		"GetRefunds":              listRefunds,
		"PostRefunds":             kit.With((*call).refundable, createRefund),
		"GetRefundsRefund":        theRefund.shown(),
		"PostRefundsRefund":       theRefund.on(updateRefund),
		"PostRefundsRefundCancel": theRefund.on(cancelRefund),
	}
}

// telling says what came of it all.
func telling() map[string]handler {
	return map[string]handler{
		"GetDisputes":                           theDispute.listed("charge", "payment_intent"),
		"GetDisputesDispute":                    theDispute.shown(),
		"PostDisputesDispute":                   theDispute.on(updateDispute),
		"PostDisputesDisputeClose":              theDispute.on(closeDispute),
		"GetEvents":                             listEvents,
		"GetEventsId":                           theEvent.shown(),
		"GetWebhookEndpoints":                   theEndpoint.listed(),
		"PostWebhookEndpoints":                  createEndpoint,
		"GetWebhookEndpointsWebhookEndpoint":    theEndpoint.shown(),
		"PostWebhookEndpointsWebhookEndpoint":   theEndpoint.on(updateEndpoint),
		"DeleteWebhookEndpointsWebhookEndpoint": theEndpoint.on(deleteEndpoint),

		"GetTestHelpersTestClocks":                  theClock.listed(),
		"PostTestHelpersTestClocks":                 createClock,
		"GetTestHelpersTestClocksTestClock":         theClock.shown(),
		"DeleteTestHelpersTestClocksTestClock":      theClock.on(deleteClock),
		"PostTestHelpersTestClocksTestClockAdvance": theClock.on(advanceClock),
	}
}

// catalogue says what is for sale, at what price, and where.
func catalogue() map[string]handler {
	return map[string]handler{
		"GetProducts": listProducts, "PostProducts": createProduct, "GetProductsSearch": searchIn(products),
		"GetProductsId": theProduct.alive(theProduct.given), "PostProductsId": theProduct.alive(updateProduct), "DeleteProductsId": theProduct.alive(deleteProduct),
		"GetPrices": listPrices, "PostPrices": createPrice, "GetPricesSearch": searchIn(prices),
		"GetPricesPrice": thePrice.shown(), "PostPricesPrice": thePrice.on(updatePrice),
		"GetPlans": listPlans, "PostPlans": createPlan, "GetPlansPlan": kit.With((*call).planPrice, getPlan),
		"PostPlansPlan": kit.With((*call).planPrice, updatePlan), "DeletePlansPlan": kit.With((*call).planPrice, deletePlan),
		"GetCoupons": listCoupons, "PostCoupons": createCoupon,
		"GetCouponsCoupon": theCoupon.alive(theCoupon.given), "PostCouponsCoupon": theCoupon.alive(updateCoupon),
		"DeleteCouponsCoupon": theCoupon.alive(deleteCoupon),
		"GetPromotionCodes":   listPromotionCodes, "PostPromotionCodes": createPromotionCode,
		"GetPromotionCodesPromotionCode": thePromotionCode.shown(), "PostPromotionCodesPromotionCode": thePromotionCode.retagged("promotion_code.updated", "active"),
		"GetPaymentLinks": listLinks, "PostPaymentLinks": createLink,
		"GetPaymentLinksPaymentLink": theLink.shown(), "PostPaymentLinksPaymentLink": theLink.on(updateLink),
		"GetPaymentLinksPaymentLinkLineItems": theLink.lines("line_items"),
		"GetCheckoutSessions":                 theSession.listed("customer", "payment_intent", "payment_link", "status", "subscription"),
		"PostCheckoutSessions":                createSession,
		"GetCheckoutSessionsSession":          theSession.shown(), "PostCheckoutSessionsSession": theSession.retagged(""),
		"PostCheckoutSessionsSessionExpire":   theSession.on(expireSession),
		"GetCheckoutSessionsSessionLineItems": theSession.lines("line_items"),
	}
}

// billing asks for money by invoice.
func billing() map[string]handler {
	return map[string]handler{
		"GetInvoiceitems": listInvoiceItems, "PostInvoiceitems": createInvoiceItem,
		"GetInvoiceitemsInvoiceitem": theInvoiceItem.shown(), "PostInvoiceitemsInvoiceitem": kit.With((*call).editableItem, updateInvoiceItem),
		"DeleteInvoiceitemsInvoiceitem": kit.With((*call).editableItem, deleteInvoiceItem),
		"GetInvoices":                   listInvoices, "PostInvoices": createInvoice, "GetInvoicesSearch": searchIn(invoices),
		"PostInvoicesCreatePreview": previewInvoice, "GetInvoicesUpcoming": upcomingInvoice,
		"GetInvoicesInvoice": theInvoice.shown(), "PostInvoicesInvoice": theInvoice.on(updateInvoice), "DeleteInvoicesInvoice": theInvoice.on(deleteInvoice),
		"PostInvoicesInvoiceFinalize": theInvoice.on(finalizeInvoice), "PostInvoicesInvoicePay": theInvoice.on(payInvoice),
		"PostInvoicesInvoiceAttachPayment": theInvoice.on(attachPayment), "PostInvoicesInvoiceSend": theInvoice.on(sendInvoice),
		"PostInvoicesInvoiceVoid": theInvoice.on(voidInvoice), "PostInvoicesInvoiceMarkUncollectible": theInvoice.on(writeOffInvoice),
		"GetInvoicesInvoiceLines": theInvoice.lines("lines"),
		"GetInvoicePayments":      listInvoicePayments, "GetInvoicePaymentsInvoicePayment": theInvoicePayment.shown(),
		"GetCreditNotes": theCreditNote.listed("invoice", "customer"), "PostCreditNotes": createCreditNote, "GetCreditNotesId": theCreditNote.shown(),
		"PostCreditNotesId": theCreditNote.retagged("credit_note.updated", "memo"), "PostCreditNotesIdVoid": theCreditNote.on(voidCreditNote),
		"GetCreditNotesCreditNoteLines": theCreditNote.by("credit_note", "id").lines("lines"),
	}
}

// subscribing bills again and again.
func subscribing() map[string]handler {
	return map[string]handler{
		"GetSubscriptions": listSubscriptions, "PostSubscriptions": createSubscription,
		"GetSubscriptionsSearch":                   searchIn(subscriptions),
		"GetSubscriptionsSubscriptionExposedId":    theSubscription.shown(),
		"PostSubscriptionsSubscriptionExposedId":   theSubscription.on(updateSubscription),
		"DeleteSubscriptionsSubscriptionExposedId": theSubscription.on(deleteSubscription),
		"PostSubscriptionsSubscriptionResume":      theSubscription.by("subscription", "subscription").on(resumeSubscription),
		"GetSubscriptionItems":                     listSubscriptionItems,
		"PostSubscriptionItems":                    createSubscriptionItem,
		"GetSubscriptionItemsItem":                 theItem.shown(),
		"PostSubscriptionItemsItem":                kit.WithTwo((*call).itemAndSubscription, updateSubscriptionItem),
		"DeleteSubscriptionItemsItem":              kit.WithTwo((*call).itemAndSubscription, deleteSubscriptionItem),
	}
}

// accounting tells where the money is.
func accounting() map[string]handler {
	return map[string]handler{
		"GetBalance": getBalance, "GetBalanceTransactions": listBalanceTransactions, "GetBalanceTransactionsId": theBalanceTransaction.shown(),
		"GetPayouts": listPayouts, "PostPayouts": createPayout, "GetPayoutsPayout": thePayout.shown(),
		"PostPayoutsPayout": thePayout.retagged("payout.updated"), "PostPayoutsPayoutCancel": thePayout.on(cancelPayout),
		"GetTransfers": theTransfer.listed("transfer_group", "destination"), "PostTransfers": createTransfer,
		"GetTransfersTransfer": theTransfer.shown(), "PostTransfersTransfer": theTransfer.retagged("transfer.updated", "description"),
	}
}
