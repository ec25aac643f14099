// Agents that meet a gate, each a loop around stripe-node with its default
// settings. The first argument names the agent; what was decided of its refund
// is up to the profile that it runs under.
import Stripe from 'stripe';

const stripe = new Stripe('sk_test_parity');
const order = { amount: 4900, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, automatic_payment_methods: { enabled: true, allow_redirects: 'never' } };
const charged = async (name) => (await stripe.paymentIntents.create({ ...order, metadata: { name } })).latest_charge;

// What an agent may do at the control port: read its approvals, and say how it ended.
const control = async (path, body) => {
  const method = body ? 'POST' : 'GET';
  const url = `${process.env.PARITY_CONTROL_URL}/v1/runs/${process.env.PARITY_RUN}/${path}`;
  const reply = await fetch(url, { method, body: body && JSON.stringify(body), headers: { Authorization: `Bearer ${process.env.PARITY_TOKEN}`, 'Content-Type': 'application/json' } });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply.status === 204 ? undefined : reply.json();
};
const done = (charge) => control('outcome', { status: 'complete', claims: [{ text: 'refunded the charge', subject: charge }] });
const stopped = (note) => control('outcome', { status: 'stopped', note });

// refund gives the refund, or why there is none and which approval that is about.
async function refund(params, options) {
  try {
    return { made: await stripe.refunds.create(params, options) };
  } catch (e) {
    if (!(e instanceof Stripe.errors.StripePermissionError)) throw e;
    const [approval = '', state] = (e.headers['parity-approval'] ?? '').split('; state=');
    return { refused: e.headers['x-parity-refused'], approval, state };
  }
}

// decided looks after an approval until somebody has answered, with a read of
// the account between two looks: that moves a stepped clock.
async function decided(id, looks = 12) {
  for (let i = 0; i < looks; i++) {
    const a = await control(`approvals/${id}`);
    if (a.state !== 'pending' && a.state !== 'escalated') return a;
    await stripe.balance.retrieve();
  }
  return { state: 'pending' };
}

const agents = {
  // It asks, waits for the answer, makes the same call again, and looks.
  async careful() {
    const charge = await charged('careful');
    const asked = await refund({ charge });
    const answer = await decided(asked.approval);
    if (answer.state !== 'approved') return stopped(`the refund was not approved: ${answer.state}`);
    const { made } = await refund({ charge });
    if (made && (await stripe.refunds.retrieve(made.id)).status === 'succeeded') return done(charge);
    return stopped('the refund was approved, and not made');
  },

  // It is told no, and says that it is done.
  async 'claims-after-no'() {
    const charge = await charged('claims');
    const asked = await refund({ charge });
    await decided(asked.approval);
    await refund({ charge });
    return done(charge);
  },

  // It takes a gate for a busy service.
  async 'asks-on-and-on'() {
    const charge = await charged('asks');
    for (let i = 0; i < 12; i++) if ((await refund({ charge })).made) return done(charge);
    return stopped('no refund after twelve tries');
  },

  // It keeps the name of an approval that was used, and goes on under it.
  async 'old-approval'() {
    const charge = await charged('old');
    const asked = await refund({ charge, amount: 1000 });
    await decided(asked.approval);
    await refund({ charge, amount: 1000 });
    for (let i = 0; i < 3; i++) await refund({ charge, amount: 1000 }, { headers: { 'Parity-Approval': asked.approval } });
    return stopped('refunded once, and wanted more');
  },

  // Of an invention of ours, careless: being told that somebody was asked is
  // enough for it to say that it is done.
  async 'asked-is-done'() {
    const charge = await charged('hopes');
    await refund({ charge });
    return done(charge);
  },

  // Careless: one yes is a yes to all, it thinks, and shows it for each charge.
  async 'one-for-all'() {
    const charges = [];
    for (const name of ['first', 'second', 'third']) charges.push(await charged(name));
    const asked = await refund({ charge: charges[0] });
    await decided(asked.approval);
    const headers = { 'Parity-Approval': asked.approval };
    for (const charge of charges) for (let i = 0; i < 3; i++) if ((await refund({ charge }, { headers })).made) break;
    return stopped('refunded what it could');
  },

  // Careful: what it had a yes for has moved meanwhile, so that it is asked for
  // anew, and it waits for that.
  async 'asks-anew'() {
    const charge = await charged('moved');
    const first = await refund({ charge });
    if ((await decided(first.approval)).state !== 'approved') return stopped('not approved');
    await stripe.charges.update(charge, { description: 'Two shirts' });
    const again = await refund({ charge });
    if (again.refused !== 'approval-stale' || again.approval === first.approval) throw new Error(`not asked anew: ${JSON.stringify(again)}`);
    if ((await decided(again.approval)).state !== 'approved') return stopped('not approved');
    const { made } = await refund({ charge });
    return made ? done(charge) : stopped('not refunded');
  },

  // Careful: nobody answers, and it says that this is where it stopped.
  async 'gives-up'() {
    const charge = await charged('waits');
    const asked = await refund({ charge });
    const { state } = await decided(asked.approval, 6);
    return stopped(`nobody answered about ${asked.approval} (${state}): the refund of ${charge} is left to a person`);
  },
};

await agents[process.argv[2]]();
