// What official SDKs, unmodified, find of their own writes where reads go to a real
// service and writes do not. The first argument is `seed`, which makes what the real
// service has, or names a service whose part is to be done; BASE is where it is
// reached, without which the SDKs call the hosts that they are made for. What was
// found is printed as one JSON document, without ids and times.
import Stripe from 'stripe';
import { Octokit } from '@octokit/rest';
import { Client as HubSpot } from '@hubspot/api-client';
import { Client as Notion, collectPaginatedAPI } from '@notionhq/client';
import zendesk from 'node-zendesk';
import { collect, failure, tell } from './tell.mjs';

const base = process.env.BASE;
const at = base ? new URL(base) : undefined;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const stripe = new Stripe('sk_test_parity', at ? { host: at.hostname, port: at.port, protocol: at.protocol.slice(0, -1) } : {});
const github = new Octokit({ auth: 'ghp_sdk', log, ...(base ? { baseUrl: `${base}/github` } : {}) });
const desk = zendesk.createClient({ username: 'owner@example.com', token: 'abc123', subdomain: 'acme', ...(base ? { endpointUri: `${base}/zendesk/api/v2` } : {}) });
const hubspot = new HubSpot({ accessToken: 'pat-na1-00000000-0000-4000-8000-000000000001', ...(base ? { basePath: `${base}/hubspot` } : {}) });
const notion = new Notion({ auth: 'ntn_parity', logLevel: 'error', ...(base ? { baseUrl: `${base}/notion` } : {}) });

const range = (n) => [...Array(n).keys()];
const repo = { owner: 'acme', repo: 'coffee-shop' };
const card = { payment_method: 'pm_card_visa', payment_method_types: ['card'], confirm: true, currency: 'usd' };
const root = '2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73';
const paragraph = (content) => ({ paragraph: { rich_text: [{ text: { content } }] } });
const said = (block) => block[block.type].rich_text[0].plain_text;

// What the real service has before anybody reads it.
const seeds = {
  async stripe() {
    for (const i of range(7)) await stripe.customers.create({ name: `real ${i}`, email: `real${i}@shop.example` });
    await stripe.paymentIntents.create({ amount: 5000, description: 'real', ...card });
  },
  async github() {
    for (const i of range(7)) await github.issues.create({ ...repo, title: `real ${i}` });
    await github.repos.createOrUpdateFileContents({ ...repo, path: 'real.txt', message: 'real', content: 'cmVhbA==' });
  },
  async zendesk() {
    for (const i of range(7)) await desk.tickets.create({ ticket: { subject: `real ${i}`, comment: { body: 'real' } } });
  },
  async hubspot() {
    for (const i of range(7)) await hubspot.crm.contacts.basicApi.create({ properties: { email: `real${i}@shop.example`, firstname: `real ${i}` }, associations: [] });
  },
  async notion() {
    await notion.blocks.children.append({ block_id: root, children: range(5).map((i) => paragraph(`real ${i}`)) });
  },
};

const works = {
  async stripe() {
    const names = async (params = {}) => (await collect(stripe.customers.list({ limit: 2, ...params }))).map((c) => c.name);
    const all = await collect(stripe.customers.list({ limit: 100 }));
    const id = (name) => all.find((c) => c.name === name).id;
    const before = await names();
    const updated = await stripe.customers.update(id('real 3'), { name: 'changed 3', email: 'changed3@shop.example' });
    const told = await stripe.customers.update(id('real 1'), { description: 'told' });
    await stripe.customers.del(id('real 2'));
    const made = await stripe.customers.create({ name: 'made', email: 'made@shop.example' }, { idempotencyKey: 'one' });
    const again = await stripe.customers.create({ name: 'made', email: 'made@shop.example' }, { idempotencyKey: 'one' });
    const gone = await stripe.customers.retrieve(id('real 2'));
    const [intent] = (await stripe.paymentIntents.list({ limit: 5 })).data.filter((it) => it.description === 'real');
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 1500 });
    const charge = await stripe.charges.retrieve(intent.latest_charge, { expand: ['customer', 'payment_intent'] });
    const expanded = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge.refunds'] });
    const own = await stripe.paymentIntents.create({ amount: 700, customer: id('real 4'), ...card });
    const charges = await stripe.charges.list({ customer: id('real 4'), expand: ['data.customer'] });
    const found = await stripe.customers.search({ query: "name~'made' OR name~'changed'" });
    return {
      before, after: await names(), read: (await stripe.customers.retrieve(id('real 3'))).name, made: (await stripe.customers.retrieve(made.id)).name,
      updated: [updated.name, updated.email], told: [told.name, told.email, told.description], again: again.id === made.id, gone: gone.deleted,
      late: (await failure(() => stripe.customers.update(id('real 2'), { name: 'late' }))).status,
      by_email: [await names({ email: 'real3@shop.example' }), await names({ email: 'changed3@shop.example' }), await names({ email: 'made@shop.example' }), await names({ email: 'real1@shop.example' })],
      refund: [refund.amount, charge.amount_refunded, charge.payment_intent.amount, expanded.latest_charge.amount_refunded, (await stripe.refunds.list({ charge: charge.id })).data.length],
      own: [own.status, charges.data.map((c) => [c.amount, c.customer.name])],
      searched: found.data.map((c) => c.name),
      balance: (await stripe.balance.retrieve()).pending[0].amount > 0,
    };
  },

  async github() {
    const titles = async (params = {}) => (await github.paginate(github.issues.listForRepo, { ...repo, per_page: 2, ...params })).map((i) => i.title);
    const all = await github.paginate(github.issues.listForRepo, { ...repo, state: 'all', per_page: 100 });
    const issue_number = (title) => all.find((i) => i.title === title).number;
    const one = (title) => ({ ...repo, issue_number: issue_number(title) });
    const before = await titles();
    const first = await github.issues.get(one('real 3'));
    const known = { headers: { 'if-none-match': first.headers.etag } };
    const same = await failure(() => github.issues.get({ ...one('real 3'), ...known }));
    await github.issues.update({ ...one('real 3'), title: 'changed 3', labels: ['bug'] });
    await github.issues.update({ ...one('real 2'), state: 'closed' });
    const made = (await github.issues.create({ ...repo, title: 'made', body: 'made' })).data;
    await github.issues.createComment({ ...one('real 4'), body: 'hm' });
    await github.issues.createComment({ ...repo, issue_number: made.number, body: 'oh' });
    const fresh = await github.issues.get({ ...one('real 3'), ...known });
    const put = (await github.repos.createOrUpdateFileContents({ ...repo, path: 'made.txt', message: 'Make', content: 'bWFkZQ==' })).data;
    const real = (await github.repos.getContent({ ...repo, path: 'real.txt' })).data;
    await github.repos.createOrUpdateFileContents({ ...repo, path: 'real.txt', message: 'Change', content: 'Y2hhbmdlZA==', sha: real.sha });
    const searched = (await github.search.issuesAndPullRequests({ q: `repo:acme/coffee-shop made in:title` })).data;
    const whole = (await github.repos.get(repo)).data;
    return {
      before, after: await titles(), same: same.status ?? same.class, fresh: [fresh.status, fresh.data.title], etags: fresh.headers.etag !== first.headers.etag,
      closed: await titles({ state: 'closed' }), bugs: await titles({ labels: 'bug' }), updated: (await titles({ sort: 'updated' })).slice(0, 4),
      oldest: (await titles({ direction: 'asc' })).slice(-3), number: made.number > Math.max(...all.map((i) => i.number)),
      comments: [(await github.issues.listComments(one('real 4'))).data.map((c) => c.body), (await github.issues.get(one('real 4'))).data.comments, (await github.issues.listComments({ ...repo, issue_number: made.number })).data.length],
      files: (await github.repos.getContent({ ...repo, path: '' })).data.map((f) => f.name), put: put.commit.message,
      content: Buffer.from((await github.repos.getContent({ ...repo, path: 'real.txt' })).data.content, 'base64').toString(),
      searched: [searched.total_count, searched.items.map((i) => i.title)],
      by_url: (await github.request(all[0].url)).data.title === all[0].title,
      template: (await github.request(whole.issues_url, { number: issue_number('real 3') })).data.title, home: !base || whole.url.startsWith(base), page: whole.html_url.startsWith('https://github.com/'),
    };
  },

  async zendesk() {
    const subjects = async () => (await desk.tickets.list()).map((t) => t.subject);
    const all = await desk.tickets.list();
    const id = (subject) => all.find((t) => t.subject === subject).id;
    const before = await subjects();
    const changed = (await desk.tickets.update(id('real 3'), { ticket: { subject: 'changed 3', status: 'pending', comment: { body: 'Hm' } } })).result;
    await desk.tickets.delete(id('real 2'));
    const made = (await desk.tickets.create({ ticket: { subject: 'made', comment: { body: 'made' } } })).result;
    const page = await (await fetch(`${base ?? 'https://acme.zendesk.com'}${base ? '/zendesk' : ''}/api/v2/tickets.json?page[size]=3`, { headers: { authorization: `Basic ${btoa('owner@example.com/token:abc123')}` } })).json();
    const next = await (await fetch(page.links.next, { headers: { authorization: `Basic ${btoa('owner@example.com/token:abc123')}` } })).json();
    return {
      before, after: await subjects(), changed: [changed.subject, changed.status], read: (await desk.tickets.show(id('real 3'))).result.subject,
      comments: (await desk.tickets.getComments(id('real 3'))).map((c) => c.body ?? c.comments?.map((d) => d.body)), made: (await desk.tickets.show(made.id)).result.subject,
      gone: (await failure(async () => { const r = await desk.tickets.show(id('real 2')); if (r instanceof Error) throw r; })).class,
      late: (await failure(async () => { const r = await desk.tickets.update(id('real 2'), { ticket: { status: 'open' } }); if (r instanceof Error) throw r; })).class,
      next: next.tickets.map((t) => t.subject), home: !base || made.url.startsWith(base), count: (await desk.search.query('type:ticket made')).length,
    };
  },

  async hubspot() {
    const api = hubspot.crm.contacts;
    const names = async () => (await api.getAll(2)).map((c) => c.properties.firstname);
    const all = await api.getAll(100);
    const id = (name) => all.find((c) => c.properties.firstname === name).id;
    const before = await names();
    const changed = await api.basicApi.update(id('real 3'), { properties: { firstname: 'changed 3' } });
    await api.basicApi.archive(id('real 2'));
    const made = await api.basicApi.create({ properties: { email: 'made@shop.example', firstname: 'made' }, associations: [] });
    const batch = await api.batchApi.read({ inputs: [{ id: id('real 3') }, { id: made.id }, { id: id('real 5') }], properties: ['firstname', 'email'], propertiesWithHistory: [] });
    const found = await api.searchApi.doSearch({ filterGroups: [{ filters: [{ propertyName: 'firstname', operator: 'IN', values: ['changed 3', 'made', 'real 3', 'real 5'] }] }], limit: 10, after: '0', properties: ['firstname'], sorts: [] });
    return {
      before, after: await names(), changed: [changed.properties.firstname], read: (({ firstname, email }) => [firstname, email])((await api.basicApi.getById(id('real 3'))).properties), made: (await api.basicApi.getById(made.id)).properties.firstname,
      gone: (await failure(() => api.basicApi.getById(id('real 2')))).class, late: (await failure(() => api.basicApi.update(id('real 2'), { properties: { firstname: 'late' } }))).class,
      batch: batch.results.map((c) => [c.properties.firstname, c.properties.email]).sort(), found: [found.total, found.results.map((c) => c.properties.firstname)],
    };
  },

  async notion() {
    const list = async () => (await collectPaginatedAPI(notion.blocks.children.list, { block_id: root, page_size: 2 })).filter((b) => b.type === 'paragraph').map(said);
    const all = (await notion.blocks.children.list({ block_id: root })).results.filter((b) => b.type === 'paragraph');
    const id = (text) => all.find((b) => said(b) === text).id;
    const before = await list();
    await notion.blocks.update({ block_id: id('real 3'), ...paragraph('changed 3') });
    await notion.blocks.delete({ block_id: id('real 2') });
    const made = await notion.blocks.children.append({ block_id: root, children: [paragraph('made')] });
    const page = await notion.pages.create({ parent: { page_id: root }, properties: { title: { title: [{ text: { content: 'Made' } }] } } });
    return {
      before, after: await list(), read: said(await notion.blocks.retrieve({ block_id: id('real 3') })), made: said(await notion.blocks.retrieve({ block_id: made.results[0].id })),
      gone: (await notion.blocks.retrieve({ block_id: id('real 2') })).in_trash, page: (await notion.pages.retrieve({ page_id: page.id })).properties.title.title[0].plain_text,
      late: (await failure(() => notion.blocks.update({ block_id: id('real 2'), ...paragraph('late') }))).status,
      searched: (await notion.search({ query: 'Made' })).results.length,
    };
  },
};

const [what, ...only] = process.argv.slice(2);
const parts = what === 'seed' ? seeds : works;
await tell(only.length > 0 ? Object.fromEntries(only.map((name) => [name, parts[name]])) : parts);
