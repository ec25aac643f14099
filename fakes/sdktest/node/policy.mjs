// What official SDKs, unmodified and with their default settings, make of a
// policy: the first argument names the work. What it found is printed as one
// JSON document, which the Go test judges.
import { fork } from 'node:child_process';
import { once } from 'node:events';

const stripe = async () => new (await import('stripe')).default('sk_test_parity');
const order = { amount: 4900, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, automatic_payment_methods: { enabled: true, allow_redirects: 'never' } };

// The SDK's own error, by its class and what it says; a result by its id.
async function attempt(work) {
  try {
    const made = await work();
    return { class: 'none', id: made?.id, status: made?.[0]?.statusCode };
  } catch (e) {
    const said = e.response?.body?.errors?.[0]?.message ?? e.data?.response_metadata?.messages?.[0] ?? e.message;
    return { class: e.constructor.name, status: e.status ?? e.statusCode ?? e.code, error: e.data?.error ?? '', refused: e.headers?.['x-parity-refused'] ?? '', said };
  }
}

// A charge that can be refunded, of this order alone.
const charged = async (client, name) => (await client.paymentIntents.create({ ...order, metadata: { name } })).latest_charge;

// Each read moves a stepped clock by its step.
const pass = async (client, seconds) => {
  for (let i = 0; i < seconds; i++) await client.balance.retrieve();
};

const works = {
  // What may not be done: each SDK's own error for a missing right.
  async forbidden() {
    const { Octokit } = await import('@octokit/rest');
    const { retry } = await import('@octokit/plugin-retry');
    const { WebClient, LogLevel } = await import('@slack/web-api');
    const { default: sendgrid } = await import('@sendgrid/mail');
    const { Client } = await import('@notionhq/client');
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const client = await stripe();
    sendgrid.setApiKey('SG.parity.secret');
    return {
      stripe: await attempt(() => client.refunds.create({ charge: 'ch_1' })),
      github: await attempt(() => new (Octokit.plugin(retry))({ auth: 'ghp_sdk', log }).rest.issues.create({ owner: 'octocat', repo: 'hello', title: 'Hello' })),
      slack: await attempt(() => new WebClient('xoxb-1-sdk', { logLevel: LogLevel.ERROR }).chat.postMessage({ channel: 'C0GENERAL01', text: 'Hello' })),
      sendgrid: await attempt(() => sendgrid.send({ to: 'ada@example.net', from: 'noreply@example.com', subject: 'Hello', text: 'Hello' })),
      notion: await attempt(() => new Client({ auth: 'ntn_parity', logLevel: 'error' }).pages.create({ parent: { page_id: '2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73' }, properties: {} })),
    };
  },

  // A mail that is written as a draft, and never leaves.
  async mail() {
    const { default: sendgrid } = await import('@sendgrid/mail');
    sendgrid.setApiKey('SG.parity.secret');
    return { sent: await attempt(() => sendgrid.send({ to: 'ada@example.net', from: 'noreply@example.com', subject: 'Hello', text: 'Hello' })) };
  },

  // Refunds, each of a charge of its own, that a stand-in approves.
  async refunds() {
    const client = await stripe();
    const found = {};
    const part = async (name, work) => {
      const charge = await charged(client, name);
      const refund = (amount, idempotencyKey) => attempt(() => client.refunds.create({ charge, amount }, idempotencyKey ? { idempotencyKey } : undefined));
      await work(charge, refund);
    };
    await part('plain', async (charge, refund) => {
      found.asked = await refund(4900, 'plain-1');
      found.again = await refund(4900, 'plain-1'); // nobody has answered, and nobody is asked anew
      await pass(client, 4);
      found.made = await refund(4900, 'plain-1'); // the no is not kept for its key
      found.refunds = (await client.refunds.list({ charge })).data.length;
    });
    await part('body', async (_, refund) => {
      await refund(500);
      await pass(client, 4);
      found.body = await refund(600);
    });
    await part('charge', async (charge, refund) => {
      await refund(700);
      await pass(client, 4);
      await client.charges.update(charge, { description: 'Two shirts' });
      found.charge = await refund(700);
    });
    await part('clock', async (_, refund) => {
      await refund(800);
      await pass(client, 16);
      found.clock = await refund(800);
    });
    await part('lost', async (charge, refund) => {
      await refund(1000, 'lost-0');
      await pass(client, 4);
      found.lost = await refund(1000, 'lost-1'); // the SDK tries again, with the same key
      found.newKey = await refund(1000, 'lost-2');
      found.once = (await client.refunds.list({ charge })).data.length;
    });
    return found;
  },

  // Two processes that rest on one approval, at once.
  async race() {
    const client = await stripe();
    const charge = await charged(client, 'race');
    await attempt(() => client.refunds.create({ charge, amount: 1500 }));
    await pass(client, 4);
    const racers = [1, 2].map(() => fork(import.meta.filename, ['racer', charge], { execArgv: [] }));
    await Promise.all(racers.map((r) => once(r, 'message')));
    const ends = racers.map((r) => once(r, 'message'));
    for (const r of racers) r.send('go');
    const found = (await Promise.all(ends)).map(([m]) => m);
    return { found, refunds: (await client.refunds.list({ charge })).data.map((r) => r.amount) };
  },
  async racer() {
    const client = await stripe();
    await client.balance.retrieve(); // a connection that is open already
    const go = once(process, 'message');
    process.send('ready');
    await go;
    process.send(await attempt(() => client.refunds.create({ charge: process.argv[3], amount: 1500 })));
    process.disconnect();
  },

  // One call that waits for its answer, and is done.
  async waits() {
    const client = await stripe();
    const charge = await charged(client, 'waits');
    return { made: await attempt(() => client.refunds.create({ charge })), refunds: (await client.refunds.list({ charge })).data.length };
  },
};

const found = await works[process.argv[2]]();
if (found) process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
