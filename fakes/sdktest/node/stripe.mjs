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
const found = await { pay, page, fail, again, lose, limit }[task](...args);
// Ended by hand: stripe-node leaves the body of a 5xx that it retries unread,
// and its socket would keep this process for the SDK's timeout of 80 s.
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
