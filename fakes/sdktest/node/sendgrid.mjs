// One agent's worth of calls through SendGrid's own SDKs, unmodified. The first
// argument names the work; what it found is printed as one JSON document.
import sgMail from '@sendgrid/mail';
import sgClient from '@sendgrid/client';

const keyed = (key) => {
  for (const client of [sgMail.client, sgClient]) {
    client.setApiKey(key); // and resets the base URL
    if (process.env.SENDGRID_BASE) client.setDefaultRequest('baseUrl', process.env.SENDGRID_BASE);
  }
};
keyed('SG.parity.secret');

const message = (more) => ({ to: 'ada@example.net', from: { email: 'noreply@example.com', name: 'Example' }, subject: 'Hello', text: 'Hi', html: '<p>Hi</p>', ...more });

async function ask(method, url, body, qs) {
  const [response] = await sgClient.request({ method, url, body, qs });
  return { status: response.statusCode, body: response.body, headers: response.headers };
}

async function failure(work) {
  try {
    await work();
    return { class: 'none' };
  } catch (e) {
    return { class: e.constructor.name, code: e.code, message: e.message, errors: e.response?.body?.errors };
  }
}

// One of each listed operation, and its parsed answer.
async function all() {
  const found = {};
  const note = async (name, work) => { found[name] = await work(); };
  const soon = Math.floor(Date.now() / 1000) + 3600;
  const batch = (await ask('POST', '/v3/mail/batch')).body.batch_id;
  const [sent] = await sgMail.send(message({ batchId: batch, sendAt: soon, customArgs: { order: 'A-17' }, categories: ['receipts'] }));
  found.send = [sent.statusCode, sent.body, sent.headers['x-message-id'].length];
  await note('batch', async () => (await ask('GET', `/v3/mail/batch/${batch}`)).body.batch_id === batch);
  await note('hold', async () => (await ask('POST', '/v3/user/scheduled_sends', { batch_id: batch, status: 'pause' })).status);
  await note('change', async () => (await ask('PATCH', `/v3/user/scheduled_sends/${batch}`, { status: 'cancel' })).status);
  await note('held', async () => (await ask('GET', `/v3/user/scheduled_sends/${batch}`)).body.map((s) => s.status));
  await note('all_held', async () => (await ask('GET', '/v3/user/scheduled_sends')).body.length);
  await note('release', async () => (await ask('DELETE', `/v3/user/scheduled_sends/${batch}`)).status);
  await note('bounces', async () => (await ask('GET', '/v3/suppression/bounces', undefined, { limit: 2 })).body.map((b) => b.email));
  await note('bounce', async () => (await ask('GET', '/v3/suppression/bounces/full@example.net')).body[0].status);
  await note('bounce_gone', async () => (await ask('DELETE', '/v3/suppression/bounces/full@example.net')).status);
  await note('bounces_gone', async () => (await ask('DELETE', '/v3/suppression/bounces', { delete_all: true })).status);
  for (const kind of ['bounces', 'blocks', 'spam_reports', 'invalid_emails', 'unsubscribes']) {
    await note(kind + '_left', async () => (await ask('GET', `/v3/suppression/${kind}`)).body.length);
  }
  await note('leave', async () => (await ask('POST', '/v3/asm/suppressions/global', { recipient_emails: ['bob@example.net'] })).body.recipient_emails);
  await note('left', async () => (await ask('GET', '/v3/asm/suppressions/global/bob@example.net')).body);
  await note('back', async () => (await ask('DELETE', '/v3/asm/suppressions/global/bob@example.net')).status);
  const group = (await ask('POST', '/v3/asm/groups', { name: 'SDK', description: 'Made here' })).body;
  await note('groups', async () => (await ask('GET', '/v3/asm/groups')).body.length);
  await note('leave_group', async () => (await ask('POST', `/v3/asm/groups/${group.id}/suppressions`, { recipient_emails: ['bob@example.net'] })).status);
  const template = (await ask('POST', '/v3/templates', { name: 'SDK', generation: 'dynamic' })).body.id;
  await note('version', async () => (await ask('POST', `/v3/templates/${template}/versions`, { name: 'v', subject: 'Hi {{name}}', html_content: '<p>{{name}}</p>' })).body.active);
  await note('rename', async () => (await ask('PATCH', `/v3/templates/${template}`, { name: 'Named' })).body.name);
  await note('template', async () => (await ask('GET', `/v3/templates/${template}`)).body.versions[0].subject);
  await note('templates', async () => (await ask('GET', '/v3/templates', undefined, { generations: 'dynamic', page_size: 2 })).body.result.length);
  await note('templated', async () => (await sgMail.send({ to: 'ada@example.net', from: 'noreply@example.com', templateId: template, dynamicTemplateData: { name: 'Ada' } }))[0].statusCode);
  const messages = (await ask('GET', '/v3/messages', undefined, { query: 'status="not_delivered"', limit: 5 })).body.messages;
  found.messages = messages.map((m) => m.to_email);
  await note('message', async () => (await ask('GET', `/v3/messages/${messages[0].msg_id}`)).body.events.map((e) => e.event_name));
  await note('sender', async () => (await ask('POST', '/v3/verified_senders', { nickname: 'SDK', from_email: 'sdk@shop.example', reply_to: 'sdk@shop.example' })).body.verified);
  await note('senders', async () => (await ask('GET', '/v3/verified_senders')).body.results.length);
  await note('upsert', async () => (await ask('PUT', '/v3/marketing/contacts', { contacts: [{ email: 'new@example.net' }] })).status);
  await note('search', async () => (await ask('POST', '/v3/marketing/contacts/search', { query: "last_name LIKE 'lovelace%'" })).body.contact_count);
  await note('scopes', async () => (await ask('GET', '/v3/scopes')).body.scopes.includes('mail.send'));
  const limited = (await ask('GET', '/v3/scopes')).headers;
  found.limit = [limited['x-ratelimit-limit'], limited['x-ratelimit-remaining']];
  return found;
}

// To several people at once, each for himself.
async function multiple() {
  const [sent] = await sgMail.sendMultiple(message({ to: ['a@example.net', 'b@example.net'] }));
  return { status: sent.statusCode };
}

async function page() {
  const names = [];
  let query = { page_size: 2, generations: 'dynamic' };
  for (let pages = 0; query && pages < 10; pages++) {
    const { body } = await ask('GET', '/v3/templates', undefined, query);
    names.push(...body.result.map((t) => t.id));
    query = body._metadata.next && Object.fromEntries(new URL(body._metadata.next).searchParams);
  }
  return { seen: names.length, once: new Set(names).size };
}

async function fail() {
  const found = {
    address: await failure(() => sgMail.send(message({ to: 'nobody' }))),
    sender: await failure(() => sgMail.send(message({ from: 'stranger@elsewhere.example' }))),
    absent: await failure(() => ask('GET', '/v3/templates/absent')),
    path: await failure(() => ask('GET', '/v3/nothing')),
  };
  keyed('SG.fxReadOnly.parity');
  found.scope = await failure(() => sgMail.send(message()));
  keyed('SG.fxLeaked.parity');
  found.revoked = await failure(() => sgMail.send(message()));
  keyed('wrong');
  found.key = await failure(() => sgMail.send(message()));
  return found;
}

// A send that meets trouble, and what an agent that sends again does.
async function trouble() {
  const first = await failure(() => sgMail.send(message()));
  const again = await failure(() => sgMail.send(message()));
  return { first, again: again.class };
}

console.warn = () => {}; // the SDK's warning about the key that is none
const [task] = process.argv.slice(2);
const found = await { all, multiple, page, fail, trouble }[task]();
process.stdout.write(`${JSON.stringify(found)}\n`);
