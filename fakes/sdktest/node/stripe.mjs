// One agent's worth of calls through the official SDK, unmodified. What it
// found is printed as one JSON document, which the Go test judges.
import Stripe from 'stripe';

const base = process.env.STRIPE_BASE ? new URL(process.env.STRIPE_BASE) : undefined;
const options = base ? { host: base.hostname, port: base.port, protocol: 'http' } : {};
const stripe = new Stripe('sk_test_parity', options);

const card = { payment_method: 'pm_card_visa', payment_method_types: ['card'] };

async function failure(work) {
  try {
    await work;
    return { class: 'none' };
  } catch (e) {
    return { class: e.type ?? e.name, code: e.code, param: e.param, decline: e.decline_code, status: e.statusCode,
      message: e.message, after: e.headers?.['retry-after'] };
  }
}

async function collect(pages) {
  const all = [];
  for await (const item of pages) all.push(item);
  return all;
}

// From a customer to a refund.
async function pay() {
  const customer = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada', metadata: { tier: 'gold', drop: 'me' } });
  await stripe.customers.update(customer.id, { name: 'Ada L.', metadata: { drop: '' } });
  const updated = await stripe.customers.retrieve(customer.id);
  const intent = await stripe.paymentIntents.create({ amount: 4900, currency: 'usd', customer: customer.id, capture_method: 'manual', ...card });
  const confirmed = await stripe.paymentIntents.confirm(intent.id);
  const captured = await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 4000 });
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 1500, reason: 'requested_by_customer' });
  const looked = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge.customer'] });
  const charge = looked.latest_charge;
  const listed = await stripe.charges.list({ customer: customer.id, expand: ['data.payment_intent'] });
  return {
    object: customer.object, name: updated.name, metadata: updated.metadata,
    created: intent.status, confirmed: confirmed.status, captured: captured.status, received: captured.amount_received,
    refund: refund.status, of_charge: refund.charge === charge.id,
    charge: [charge.amount, charge.amount_captured, charge.amount_refunded],
    expanded: charge.customer.email, listed: listed.data.map((c) => c.payment_intent.status),
  };
}

// A list of 21, in pages of 10 and of 7: the last has one, or is full.
async function page() {
  const made = [];
  for (let i = 0; i < 21; i++) made.unshift((await stripe.customers.create({ email: `page${i}@example.com` })).id);
  const by = async (limit) => {
    const seen = (await collect(stripe.customers.list({ limit }))).map((c) => c.id);
    return { seen: seen.length, newest_first: seen.join() === made.join() };
  };
  return { by_10: await by(10), by_7: await by(7) };
}

// From a product to a subscription that is billed, changed and canceled.
async function bill() {
  const customer = await stripe.customers.create({ email: 'bill@example.com', name: 'Bill' });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  const product = await stripe.products.create({ name: 'Basic', default_price_data: { currency: 'usd', unit_amount: 1000, recurring: { interval: 'month' } } });
  const price = await stripe.prices.retrieve(product.default_price);
  const once = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 500 });
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
  const code = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'HALF' });
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id, quantity: 2 }],
    discounts: [{ promotion_code: code.id }], expand: ['latest_invoice.payments'] });
  const changed = await stripe.subscriptionItems.update(subscription.items.data[0].id, { quantity: 3, proration_behavior: 'none' });
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id });
  const ending = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  const gone = await stripe.subscriptions.cancel(subscription.id);
  const draft = await stripe.invoices.create({ customer: customer.id, collection_method: 'send_invoice', days_until_due: 7 });
  await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, pricing: { price: once.id }, quantity: 3 });
  const sent = await stripe.invoices.sendInvoice(draft.id);
  const paid = await stripe.invoices.pay(draft.id, { payment_method: method.id });
  const note = await stripe.creditNotes.create({ invoice: draft.id, amount: 500, refund_amount: 500 });
  const voided = await stripe.invoices.create({ customer: customer.id, pending_invoice_items_behavior: 'exclude' });
  await stripe.invoiceItems.create({ customer: customer.id, invoice: voided.id, amount: 900 });
  await stripe.invoices.finalizeInvoice(voided.id);
  const link = await stripe.paymentLinks.create({ line_items: [{ price: once.id, quantity: 2 }], expand: ['line_items'] });
  const session = await stripe.checkout.sessions.create({ mode: 'payment', success_url: 'https://shop.example/done', line_items: [{ price: once.id, quantity: 2 }] });
  const setup = await stripe.setupIntents.create({ customer: customer.id, payment_method_types: ['card'], payment_method: 'pm_card_visa', confirm: true });
  return {
    subscription: subscription.status, first: [subscription.latest_invoice.subtotal, subscription.latest_invoice.amount_paid],
    payment: subscription.latest_invoice.payments.data[0].status, quantity: changed.quantity, preview: preview.total,
    ending: ending.cancel_at === subscription.items.data[0].current_period_end, gone: gone.status,
    sent: [sent.status, sent.amount_due], paid: paid.status, note: note.refunds[0].amount_refunded,
    voided: (await stripe.invoices.voidInvoice(voided.id)).status, link: link.line_items.data[0].amount_total,
    session: [session.amount_total, (await stripe.checkout.sessions.expire(session.id)).status], setup: setup.status,
    invoices: (await collect(stripe.invoices.list({ customer: customer.id, limit: 2 }))).length,
  };
}

// What the account has, what is disputed, and who is told.
async function account() {
  const endpoint = await stripe.webhookEndpoints.create({ url: 'https://hooks.invalid/stripe', enabled_events: ['charge.dispute.created'] });
  const disputed = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd', confirm: true, capture_method: 'automatic', ...card, payment_method: 'pm_card_createDispute', expand: ['latest_charge'] });
  await stripe.paymentIntents.create({ amount: 9000, currency: 'usd', confirm: true, capture_method: 'automatic', ...card, payment_method: 'pm_card_bypassPending' });
  const dispute = await stripe.disputes.retrieve(disputed.latest_charge.dispute);
  const answered = await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } });
  const payout = await stripe.payouts.create({ amount: 1000, currency: 'usd' });
  const balance = await stripe.balance.retrieve();
  const [event] = (await stripe.events.list({ type: 'charge.dispute.created' })).data;
  const body = JSON.stringify(event);
  const signed = stripe.webhooks.constructEvent(body, stripe.webhooks.generateTestHeaderString({ payload: body, secret: endpoint.secret }), endpoint.secret);
  return {
    dispute: [dispute.status, dispute.amount, answered.status], payout: payout.status, available: balance.available[0].amount,
    movements: (await collect(stripe.balanceTransactions.list({ type: 'charge' }))).map((m) => m.amount),
    poor: await failure(stripe.payouts.create({ amount: 999999, currency: 'usd' })),
    event: [signed.type, event.pending_webhooks], secret: endpoint.secret.startsWith('whsec_'), found: (await stripe.customers.search({ query: "email:'nobody@example.com'" })).object,
    deleted: (await stripe.webhookEndpoints.del(endpoint.id)).deleted,
  };
}

// One of each class of error.
async function fail() {
  const open = await stripe.paymentIntents.create({ amount: 900, currency: 'usd', ...card });
  const key = { idempotencyKey: 'order-77' };
  await stripe.customers.create({ name: 'Once' }, key);
  const bad = new Stripe('sk_test_', options);
  const keyless = new Stripe(undefined, { ...options, authenticator: async () => {} });
  return {
    declined: await failure(stripe.paymentIntents.create({ amount: 900, currency: 'usd', confirm: true, ...card,
      payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' })),
    missing: await failure(stripe.paymentIntents.create({ currency: 'usd' })),
    unknown: await failure(stripe.customers.create({ nmae: 'Ada' })),
    absent: await failure(stripe.customers.retrieve('cus_absent')),
    state: await failure(stripe.paymentIntents.capture(open.id)),
    conflict: await failure(stripe.customers.create({ name: 'Twice' }, key)),
    bad_key: await failure(bad.customers.list()),
    no_key: await failure(keyless.customers.list()),
  };
}

// The same call with the same key.
async function again() {
  const create = () => stripe.customers.create({ name: 'Once' }, { idempotencyKey: 'order-78' });
  const [first, second] = [await create(), await create()];
  return {
    first: first.lastResponse.headers['idempotent-replayed'] ?? '', second: second.lastResponse.headers['idempotent-replayed'],
    same: first.id === second.id, customers: (await collect(stripe.customers.list())).length,
  };
}

// One payment for each way to lose its reply, all at once, an order each: metadata tells the
// rules apart.
async function lose(...replies) {
  const result = {};
  await Promise.all(replies.map(async (reply) => {
    const paying = stripe.paymentIntents.create({ amount: 7700, currency: 'usd', confirm: true, metadata: { reply, order_id: reply }, ...card });
    const { class: caught } = await failure(paying);
    const replayed = caught === 'none' ? (await paying).lastResponse.headers['idempotent-replayed'] ?? '' : '';
    result[reply] = { class: caught, replayed, charges: 0 };
  }));
  for (const charge of await collect(stripe.charges.list({ limit: 100 }))) result[charge.metadata.reply].charges++;
  return result;
}

async function limit() {
  return failure(stripe.charges.list());
}

const [task, ...args] = process.argv.slice(2);
const found = await { pay, bill, account, page, fail, again, lose, limit }[task](...args);
// Ended by hand: stripe-node leaves the body of a 5xx that it retries unread,
// and its socket would keep this process for the SDK's timeout of 80 s.
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
