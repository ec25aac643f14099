// One SDK, named by the first argument, under each fault of its service. Each
// case of FAULTS_CASES, a list of {run, steps, deadline}, has a run and a client
// of its own at FAULTS_BASE; what came of its last step is printed, by run, as
// one JSON document. A deadline in milliseconds is set where a case is about it.
import { Agent } from 'node:http';

const base = process.env.FAULTS_BASE;
const at = (run, service) => `${base}/run/${run}/${service}`;
const quiet = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel() {}, setName() {} };

// What each SDK writes and reads. Waits between its attempts are cut short where
// it has an option for that.
const sdks = {
  async stripe() {
    const { default: Stripe } = await import('stripe');
    const lookup = (host, options, done) => (options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4));
    return (run, timeout = 20_000) => {
      const httpAgent = new Agent({ lookup }); // the SDK has an option for the host, and none for what stands before its path
      const stripe = new Stripe('sk_test_parity', { host: `stripe.${run}.localhost`, port: new URL(base).port, protocol: 'http', httpAgent, timeout });
      return { write: () => stripe.customers.create({ name: 'Ada' }), list: () => stripe.customers.list({ limit: 3 }) };
    };
  },
  async github() {
    const { Octokit } = await import('@octokit/rest');
    return (run, deadline) => {
      const github = new Octokit({ auth: 'ghp_sdk', log: quiet, baseUrl: at(run, 'github') });
      const to = { owner: 'octocat', repo: 'hello-world', ...(deadline ? { request: { signal: AbortSignal.timeout(deadline) } } : {}) };
      return { write: () => github.issues.create({ ...to, title: 'Ada' }), list: () => github.issues.listForRepo({ ...to, per_page: 3 }) };
    };
  },
  async slack() {
    const { WebClient } = await import('@slack/web-api');
    return (run, timeout = 0) => {
      const retryConfig = { retries: 2, minTimeout: 20, maxTimeout: 40 };
      const slack = new WebClient('xoxb-1-sdk', { slackApiUrl: `${at(run, 'slack')}/api/`, logger: quiet, retryConfig, timeout });
      return { write: () => slack.chat.postMessage({ channel: 'C0GENERAL01', text: 'Ada' }), list: () => slack.conversations.history({ channel: 'C0GENERAL01', limit: 3 }) };
    };
  },
  async sendgrid() {
    const { Client } = await import('@sendgrid/client');
    return (run, timeout) => {
      const client = new Client();
      client.setApiKey('SG.parity.secret');
      client.setDefaultRequest('baseUrl', at(run, 'sendgrid'));
      if (timeout) client.setDefaultRequest('timeout', timeout);
      const qs = { generations: 'dynamic', page_size: 3 };
      return {
        write: () => client.request({ method: 'POST', url: '/v3/templates', body: { name: `Ada ${made++}`, generation: 'dynamic' } }),
        list: () => client.request({ method: 'GET', url: '/v3/templates', qs }),
      };
    };
  },
  async googlecalendar() {
    const { auth, calendar } = await import('@googleapis/calendar');
    return (run, timeout) => {
      const oauth = new auth.OAuth2({ clientId: 'me', clientSecret: 'mine' });
      oauth.setCredentials({ access_token: 'ya29.sdk' });
      const google = calendar({ version: 'v3', auth: oauth, rootUrl: `${base}/` });
      // It drops the path of its root, so the run is named by a header.
      const options = { headers: { 'Parity-Run': run }, retryConfig: { retryDelayMultiplier: 1, retryDelay: 20 }, ...(timeout ? { timeout } : {}) };
      const requestBody = { summary: 'Ada', start: { dateTime: '2026-03-23T09:00:00Z' }, end: { dateTime: '2026-03-23T10:00:00Z' } };
      return {
        write: () => google.events.insert({ calendarId: 'primary', requestBody }, options),
        list: () => google.events.list({ calendarId: 'primary', maxResults: 3 }, options),
      };
    };
  },
  async hubspot() {
    const { Client } = await import('@hubspot/api-client');
    return (run) => {
      const contacts = new Client({ accessToken: 'pat-na1-00000000-0000-4000-8000-000000000001', basePath: at(run, 'hubspot') }).crm.contacts.basicApi;
      return { write: () => contacts.create({ properties: { firstname: 'Ada' }, associations: [] }), list: () => contacts.getPage(3) };
    };
  },
  async zendesk() {
    const { default: zendesk } = await import('node-zendesk');
    return (run) => {
      const client = zendesk.createClient({ username: 'owner@example.com', token: 'abc123', subdomain: 'acme', endpointUri: `${at(run, 'zendesk')}/api/v2` });
      return { write: () => client.tickets.create({ ticket: { subject: 'Ada', comment: { body: 'Smoke' } } }), list: () => client.tickets.list() };
    };
  },
  async notion() {
    const { Client } = await import('@notionhq/client');
    return (run, timeoutMs) => {
      const retry = { initialRetryDelayMs: 20, maxRetryDelayMs: 40 };
      const notion = new Client({ auth: 'ntn_parity', logLevel: 'error', logger() {}, baseUrl: at(run, 'notion'), retry, ...(timeoutMs ? { timeoutMs } : {}) });
      const page_id = '2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73';
      return {
        write: () => notion.pages.create({ parent: { page_id }, properties: { title: { title: [{ text: { content: 'Ada' } }] } } }),
        list: () => notion.blocks.children.list({ block_id: page_id, page_size: 3 }),
      };
    };
  },
};

let made = 0;

// What tells an SDK's errors apart: the class, and the codes that it has.
function told(e) {
  const error = /^[a-z_]+$/.test(e.data?.error ?? 'none') ? e.data?.error : 'THE-BODY'; // @slack/web-api makes an error of what it cannot read
  const names = [e.constructor.name, e.code, e.status, e.statusCode, error];
  return [...new Set(names.filter((it) => ['string', 'number'].includes(typeof it)).map(String))].join(' ');
}

async function outcome(client, steps) {
  for (const step of steps.slice(0, -1)) await client[step]().catch(() => {});
  try {
    const result = await client[steps.at(-1)]();
    if ([result, result?.result].flat().some((it) => it instanceof Error)) return 'returns an Error'; // node-zendesk
    const body = Array.isArray(result) ? result[1] : (result?.result ?? result?.data ?? result);
    return typeof body === 'string' ? 'returns text' : 'returns';
  } catch (e) {
    return told(e);
  }
}

const make = await sdks[process.argv[2]]();
const found = {};
const cases = JSON.parse(process.env.FAULTS_CASES);
const print = () => process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
// Node is about to end with nothing left to wait for: what has not settled by
// then never will.
process.on('beforeExit', print);
for (const { run } of cases) found[run] = 'never settles';
Promise.all(cases.map(async ({ run, steps, deadline }) => {
  found[run] = await outcome(make(run, deadline), steps);
})).then(print);
