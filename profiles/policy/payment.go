package policy

import "strings"

// Hosts at which money is moved or pledged, as each provider's API reference or SDK
// names them: live ones, since a sandbox moves none. A host that serves both, by the
// key, is among them.
const (
	// cardsAPIs: cards, wallets, direct debit, subscriptions.
	cardsAPIs = `
		api.stripe.com files.stripe.com connect.stripe.com *.adyenpayments.com *-live.adyen.com api-m.paypal.com
		api.paypal.com api-3t.paypal.com svcs.paypal.com payflowpro.paypal.com api.braintreegateway.com
		payments.braintree-api.com connect.squareup.com api.mollie.com api.klarna.com api-na.klarna.com
		api-oc.klarna.com api.checkout.com *.api.checkout.com api.razorpay.com api.gocardless.com api.authorize.net
		api2.authorize.net access.worldpay.com secure.worldpay.com api.cybersource.com ics2ws.ic3.com
		apis.globalpay.com api2.heartlandportico.com api.convergepay.com prod.api.firstdata.com api.payeezy.com
		ws.bluesnap.com api.paysafe.com world.api.airwallex.com api.airwallex.com api.rapyd.net api.dlocal.com
		api.ebanxpay.com api.mercadopago.com api.pagar.me api.conekta.io api.paystack.co api.flutterwave.com
		info.payu.in secure.payu.com api.payulatam.com api.cashfree.com securegw.paytm.in api.phonepe.com
		api.xendit.co api.midtrans.com api.omise.co api.pay.jp api.tosspayments.com openapi.alipay.com
		open-global.alipay.com open-na.alipay.com open-sea.alipay.com open-eu.alipay.com api.mch.weixin.qq.com
		api.dibspayment.eu api.quickpay.net api.vipps.no cpc.getswish.net api.multisafepay.com rest-api.pay.nl
		api.sumup.com api.affirm.com global-api.affirm.com api.afterpay.com api.us.afterpay.com
		global-api.afterpay.com api.clover.com scl.clover.com api.finix.com finix.live-payments-api.com
		core.spreedly.com api.primer.io api.recurly.com v3.recurly.com *.chargebee.com api.paddle.com
		vendors.paddle.com api.lemonsqueezy.com api.fastspring.com api.polar.sh pay-api.amazon.com pay-api.amazon.eu
		pay-api.amazon.jp`
	// banksAPIs: banks, payouts, cards that are issued.
	banksAPIs = `
		api.wise.com api.transferwise.com production.plaid.com api.dwolla.com app.moderntreasury.com api.mercury.com
		platform.brexapis.com api.ramp.com api.column.com api.increase.com api.s.unit.sh api.treasuryprime.com
		api.synapsefi.com *.marqeta.com api.lithic.com b2b.revolut.com merchant.revolut.com api.monzo.com
		api.starlingbank.com api.truelayer.com pay-api.truelayer.com payment.truelayer.com api.tink.com
		api.yapily.com api.modulrfinance.com institution-api.clearbank.co.uk thirdparty.qonto.com api.bunq.com
		api.payoneer.com api.trolley.com api.hyperwallet.com gateway.prod.bill.com api.checkbook.io api.moov.io
		api.astra.finance api.currencycloud.com gateway.nium.com api.visa.com api.mastercard.com
		apigw.americanexpress.com`
	// brokersAPIs: brokers.
	brokersAPIs = `
		api.alpaca.markets broker-api.alpaca.markets api.ibkr.com api.schwabapi.com api.tradier.com`
	// cryptoAPIs: crypto currencies.
	cryptoAPIs = `
		api.coinbase.com api.commerce.coinbase.com api.exchange.coinbase.com api.prime.coinbase.com
		api.cdp.coinbase.com api.circle.com api.kraken.com futures.kraken.com api.binance.com api.binance.us
		fapi.binance.com bpay.binanceapi.com api.gemini.com api.bitstamp.net www.bitstamp.net www.okx.com
		api.bybit.com api.fireblocks.io api.anchorage.com app.bitgo.com bitpay.com api.moonpay.com api.bridge.xyz
		api.zerohash.com api.paxos.com api.opennode.com api.nowpayments.io`
)

// PaymentHosts are the hosts of the list PaymentAPIs.
func PaymentHosts() []string {
	return strings.Fields(cardsAPIs + banksAPIs + brokersAPIs + cryptoAPIs)
}
