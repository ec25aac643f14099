// Agents with the habits that public reports tell of, each a loop around an
// official SDK with its default settings. The first argument names the habit.
import { setTimeout as sleep } from 'node:timers/promises';

const stripe = async (options = {}) => new (await import('stripe')).default('sk_test_parity', options);
const charge = { amount: 4900, currency: 'usd', payment_method: 'pm_card_visa', confirm: true, automatic_payment_methods: { enabled: true, allow_redirects: 'never' } };

// again calls until it succeeds, as wrappers around SDKs do.
async function again(call, tries = 3) {
  for (let i = 1; ; i++) {
    try {
      return await call();
    } catch (error) {
      if (i === tries) throw error;
      await sleep(50 * i);
    }
  }
}

const calendar = async () => {
  const { auth, calendar: google } = await import('@googleapis/calendar');
  const oauth = new auth.OAuth2({ clientId: 'me', clientSecret: 'mine' });
  oauth.setCredentials({ access_token: 'ya29.sdk', expiry_date: Date.now() + 3_600_000 });
  return google({ version: 'v3', auth: oauth });
};

const habits = {
  // The SDK makes a key for each call: a wrapper that calls it again has another.
  'new-key': async () => {
    const client = await stripe();
    await again(() => client.paymentIntents.create(charge));
  },
  // One key for one order, made once by who knows the order.
  'one-key': async () => {
    const client = await stripe();
    await again(() => client.paymentIntents.create(charge, { idempotencyKey: 'order-17' }));
  },
  // Two orders of one price. The reply to the first is lost, and the SDK's own
  // retry, with its key, gets it.
  'two-orders': async () => {
    const client = await stripe();
    await client.paymentIntents.create(charge);
    await client.paymentIntents.create(charge);
  },
  // What fits on the first page is taken for all there is.
  'first-page': async () => {
    const client = await stripe();
    const found = (await client.customers.list({ email: 'ada@example.com' })).data;
    if (found.length < 6) await client.customers.create({ email: 'ada@example.com', name: 'Ada' });
  },
  // The SDK follows the pages by itself.
  'all-pages': async () => {
    const client = await stripe();
    const found = await client.customers.list({ email: 'ada@example.com' }).autoPagingToArray({ limit: 100 });
    if (found.length < 6) await client.customers.create({ email: 'ada@example.com', name: 'Ada' });
  },
  // gaxios tries a read again after 100 ms, whatever Retry-After says.
  'no-wait': async () => {
    const client = await calendar();
    await client.events.list({ calendarId: 'primary' }).catch(() => {});
  },
  // The Notion SDK waits for as long as it is told.
  'waits': async () => {
    const { Client } = await import('@notionhq/client');
    await new Client({ auth: 'ntn_sdk' }).users.list({}).catch(() => {});
  },
  // An SDK that tries no write again, and a wrapper that does, without a look.
  'no-look': async () => {
    const { WebClient } = await import('@slack/web-api');
    const slack = new WebClient('xoxb-1-sdk', { retryConfig: { retries: 0 } });
    await again(() => slack.chat.postMessage({ channel: 'C0GENERAL01', text: 'The invoice is paid.' }));
  },
  // An issue is looked for before it is opened again.
  'looks': async () => {
    const { Octokit } = await import('@octokit/rest');
    const to = { owner: 'octocat', repo: 'hello-world' };
    const github = new Octokit({ auth: 'ghp_sdk', log: { debug() {}, info() {}, warn() {}, error() {} } });
    try {
      await github.issues.create({ ...to, title: 'The build is red' });
    } catch {
      const { data } = await github.issues.listForRepo({ ...to, state: 'all' });
      if (!data.some((issue) => issue.title === 'The build is red')) await github.issues.create({ ...to, title: 'The build is red' });
    }
  },
};

await habits[process.argv[2]]();
