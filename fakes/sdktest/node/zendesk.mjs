// What node-zendesk, unmodified, has of what the fake models: tickets, comments,
// users, organizations, rules, jobs, search, exports, uploads, help centers,
// webhooks. Its base URL is ZENDESK_BASE. What it found is printed as one JSON
// document.
import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import zendesk from 'node-zendesk';
import { tell } from './tell.mjs';

const base = process.env.ZENDESK_BASE;
const make = (more = {}, help = false) => zendesk.createClient({
  username: 'owner@example.com', token: 'abc123', subdomain: 'acme',
  ...(base ? { endpointUri: `${base}/api/v2${help ? '/help_center' : ''}` } : {}), ...more,
});
const client = make();
const help = make({}, true).helpcenter;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// The SDK's own error: what it says.
async function failure(work) {
  try {
    const result = await work();
    return result?.result instanceof Error || result instanceof Error ? { returned: true } : { message: 'none' };
  } catch (e) {
    return { message: e.message.replace(/http\S+/, 'URL') };
  }
}

const open = async (more = {}) => (await client.tickets.create({ ticket: { subject: 'Printer', comment: { body: 'Smoke' }, ...more } })).result;

async function tickets() {
  const made = await open({ requester: { name: 'Ada', email: 'ada@example.com' }, tags: ['a'] });
  const { result: changed } = await client.tickets.update(made.id, { ticket: { status: 'pending', comment: { body: 'Hm', public: false } } });
  const read = (await client.tickets.show(made.id)).result;
  const said = await client.tickets.getComments(made.id);
  const audits = await client.ticketaudits.list(made.id);
  const tags = await client.tickets.addTags(made.id, { tags: ['b'] });
  const second = await open();
  const listed = await client.tickets.list();
  const many = (await client.tickets.showMany([made.id, second.id])).result;
  await client.tickets.delete(second.id);
  return {
    id: made.id, status: read.status, changed: changed.status, said: said.map((c) => c.public), audits: audits.length, tags: tags[0].tags,
    listed: listed.length, many: many.length ?? many.tickets?.length, gone: await failure(() => client.tickets.show(second.id)),
    requested: (await client.tickets.listByUserRequested(made.requester_id)).length,
  };
}

async function people() {
  const me = (await client.users.me()).result;
  const user = (await client.users.create({ user: { name: 'Bob', email: 'bob@example.com' } })).result;
  const again = await failure(() => client.users.create({ user: { name: 'Bob', email: 'bob@example.com' } }));
  const renamed = (await client.users.update(user.id, { user: { name: 'Bobby' } })).result;
  const organization = (await client.organizations.create({ organization: { name: 'Acme', external_id: 'x1' } })).result;
  const found = await client.organizations.search('x1');
  const { result: job } = await client.organizations.createMany({ organizations: [{ name: 'One' }, { name: 'Two' }] });
  const done = await client.jobstatuses.watch(job.job_status.id, 100, 5);
  const shown = await client.organizations.showMany(done.results.map((r) => r.id));
  await client.organizations.delete(organization.id);
  return {
    me: me.role, again, renamed: renamed.name, found: found.length, job: done.status, shown: shown.map((o) => o.name),
    left: (await client.organizations.list()).length, groups: (await client.groups.list()).map((g) => g.name),
  };
}

async function rules() {
  const views = await client.views.listActive();
  const mine = await client.views.tickets(views[2].id);
  const macros = await client.macros.list();
  const applied = (await client.macros.applyTicket(1, macros[0].id)).result;
  const fields = await client.ticketfields.list();
  return { views: views.length, unsolved: mine.length > 0, macros: macros.length, applied: applied.result.ticket.priority, fields: fields.length };
}

async function search() {
  await wait(1500); // the run's clock goes sixty times as fast
  const start = Math.floor(Date.now() / 1000) - 3600;
  const found = (await client.search.query('type:ticket printer')).result;
  const counted = (await client.search.showResultsCount('type:ticket printer')).result;
  const exported = await client.search.exportResults('printer', 'ticket');
  const cursor = (await client.ticketexport.exportCursor(start, '')).result;
  return { found: found.length, counted: counted.count, exported: exported.length > 0, ends: cursor.end_of_stream };
}

async function files() {
  const path = join(mkdtempSync(join(tmpdir(), 'zendesk-')), 'a.txt');
  writeFileSync(path, 'hello');
  const sent = await client.attachments.upload(path, { filename: 'a.txt' });
  const upload = sent.result?.upload ?? sent.upload;
  const made = await open({ comment: { body: 'See there', uploads: [upload.token] } });
  const [comment] = await client.tickets.getComments(made.id);
  return { size: upload.attachment.size, attached: comment.attachments.map((a) => a.file_name) };
}

async function center() {
  const category = (await help.categories.create({ category: { name: 'Basics' } })).result;
  const section = (await help.sections.create(category.id, { section: { name: 'Refunds' } })).result;
  const article = (await help.articles.create(section.id, { article: { title: 'How refunds work', body: '<p>Slowly.</p>', locale: 'en-us' } })).result;
  const read = (await help.articles.show(article.id)).result;
  const listed = await help.articles.list();
  await wait(1500);
  const found = (await help.search.searchArticles('refunds')).result;
  return { title: read.title, listed: listed.length, found: (found.results ?? found).length };
}

async function hooks() {
  const made = (await client.webhooks.create({ webhook: { name: 'Mine', endpoint: 'https://agent.example/hook', http_method: 'POST', request_format: 'json', status: 'active', subscriptions: ['zen:event-type:ticket.created'] } })).result;
  const secret = (await client.webhooks.getSigningSecret(made.id)).result;
  const listed = await client.webhooks.list();
  return { status: made.status, signed: (secret.signing_secret ?? secret).algorithm, listed: listed.length };
}

async function errors() {
  return {
    absent: await failure(() => client.tickets.show(99999)),
    blank: await failure(() => client.tickets.create({ ticket: { subject: 'x' } })),
    id: await failure(() => client.tickets.show('abc')),
    token: await failure(() => make({ username: 'nobody', token: 'x' }).users.me()),
  };
}

// How the SDK takes what a service in trouble sends.
async function trouble() {
  const first = await open();
  return {
    limited: await failure(() => client.groups.list()),
    broken: await failure(() => client.users.me()),
    conflict: await failure(() => client.tickets.update(first.id, { ticket: { priority: 'low' } })),
    lost: await failure(() => client.organizations.create({ organization: { name: 'Twice?' } })),
    made: (await client.organizations.list()).length,
  };
}

await tell(process.argv.includes('faults') ? { faults: trouble } : { tickets, people, rules, search, files, center, hooks, errors });
