// One agent's worth of calls through the official SDK, unmodified. What it
// found is printed as one JSON document, which the Go test judges.
import Stripe from 'stripe';

const base = process.env.STRIPE_BASE ? new URL(process.env.STRIPE_BASE) : undefined;
const options = base ? { host: base.hostname, port: base.port, protocol: 'http' } : {};
const stripe = new Stripe('sk_test_4eC39HqLyjWDarjtT1zdp7dc', options);

async function failure(work) {
  try {
    await work;
    return { none: true };
  } catch (e) {
    return { class: e.type, code: e.code, param: e.param, decline: e.decline_code, status: e.statusCode, message: e.message };
  }
}

const card = { payment_method: 'pm_card_visa', payment_method_types: ['card'] };

async function pay() {
  const customer = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada', metadata: { tier: 'gold', drop: 'me' } });
  const updated = await stripe.customers.update(customer.id, { name: 'Ada L.', metadata: { drop: '' } });
  const held = await stripe.paymentIntents.create({ amount: 4900, currency: 'usd', customer: customer.id, capture_method: 'manual', ...card });
  const confirmed = await stripe.paymentIntents.confirm(held.id);
  const captured = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 4000 });
  const refund = await stripe.refunds.create({ payment_intent: held.id, amount: 1500, reason: 'requested_by_customer' });
  const charge = await stripe.charges.retrieve(captured.latest_charge, { expand: ['customer'] });
  return {
    customer: customer.object, name: updated.name, metadata: updated.metadata, created: held.status, confirmed: confirmed.status,
    captured: captured.status, received: captured.amount_received, refund: refund.status,
    refunded: charge.amount_refunded - (charge.amount - charge.amount_captured), expanded: charge.customer.email,
  };
}

async function page() {
  const made = [];
  for (let i = 0; i < 25; i++) made.push((await stripe.customers.create({ email: `page${i}@example.com`, description: 'paged' })).id);
  const seen = [];
  for await (const c of stripe.customers.list({ limit: 10 })) if (c.description === 'paged') seen.push(c.id);
  return { made: made.length, same: JSON.stringify(seen) === JSON.stringify(made.reverse()) };
}

async function fail() {
  const key = { idempotencyKey: 'order-77' };
  const first = await stripe.customers.create({ name: 'Once' }, key);
  const again = await stripe.customers.create({ name: 'Once' }, key);
  const other = new Stripe('sk_test_', options);
  return {
    declined: await failure(stripe.paymentIntents.create({ amount: 900, currency: 'usd', confirm: true, payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds', payment_method_types: ['card'] })),
    missing: await failure(stripe.paymentIntents.create({ currency: 'usd' })),
    unknown: await failure(stripe.customers.create({ nmae: 'Ada' })),
    absent: await failure(stripe.customers.retrieve('cus_absent')),
    state: await failure(stripe.paymentIntents.create({ amount: 900, currency: 'usd', ...card }).then((p) => stripe.paymentIntents.capture(p.id))),
    conflict: await failure(stripe.customers.create({ name: 'Twice' }, key)),
    unauthorised: await failure(other.customers.list()),
    replayed: again.id === first.id && again.lastResponse.headers['idempotent-replayed'],
  };
}

async function lose() {
  const intent = await stripe.paymentIntents.create({ amount: 7700, currency: 'usd', confirm: true, ...card });
  const charges = await stripe.charges.list({ limit: 100 });
  return { status: intent.status, charges: charges.data.filter((c) => c.amount === 7700).length, replayed: intent.lastResponse.headers['idempotent-replayed'] };
}

async function limit() {
  return failure(stripe.charges.list());
}

const work = { pay, page, fail, lose, limit };
const found = {};
for (const name of process.argv.slice(2)) found[name] = await work[name]();
console.log(JSON.stringify(found));
