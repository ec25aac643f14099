// Domains, contacts, segments, emails, keys, templates and topics through the
// official SDK, unmodified; its base URL is RESEND_BASE_URL, as the SDK has it.
// The SDK throws nothing: it gives data or an error.
import { Resend } from 'resend';
import { life, tell } from './tell.mjs';

const resend = new Resend('re_parity');

async function get(reply) {
  const { data, error } = await reply;
  if (error) throw new Refused(error);
  return data;
}

// The SDK's error is a plain object: what it has, as an error that is thrown.
class Refused extends Error {
  constructor({ name, statusCode, message }) {
    super(message);
    Object.assign(this, { told: name, statusCode });
  }
}
const refusal = async (reply) => (await reply).error ?? 'none';

// All of a list, page by page: the cursor is the last id, as Resend says.
async function all(list) {
  const items = [];
  for (let after; ;) {
    const page = await get(list({ limit: 5, after }));
    items.push(...page.data);
    if (!page.has_more) return items;
    after = items.at(-1).id;
  }
}

const deleted = (reply) => reply.deleted;

const domains = () => life({
  create: () => get(resend.domains.create({ name: 'parity.example', region: 'eu-west-1' })),
  read: (id) => get(resend.domains.get(id)),
  list: () => all((page) => resend.domains.list(page)),
  update: (id) => get(resend.domains.update({ id, openTracking: true, tls: 'enforced' })),
  remove: (id) => get(resend.domains.remove(id)), removed: deleted,
  show: ({ object, name, region, status, open_tracking, records }) => ({ object, name, region, status, open_tracking, records: records?.length > 0 }),
});

const contacts = () => life({
  create: () => get(resend.contacts.create({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Byron', unsubscribed: false })),
  read: (id) => get(resend.contacts.get(id)),
  list: () => all((page) => resend.contacts.list(page)),
  update: (id) => get(resend.contacts.update({ id, lastName: 'Lovelace', unsubscribed: true })),
  remove: (id) => get(resend.contacts.remove(id)), removed: deleted,
  show: ({ object, email, first_name, last_name, unsubscribed }) => ({ object, email, first_name, last_name, unsubscribed }),
});

// What the SDK calls audiences are segments.
const audiences = () => life({
  create: () => get(resend.audiences.create({ name: 'Readers' })),
  read: (id) => get(resend.audiences.get(id)),
  list: () => all((page) => resend.audiences.list(page)),
  remove: (id) => get(resend.audiences.remove(id)), removed: deleted,
  show: ({ object, name }) => ({ object, name }),
});

async function members() {
  const { id: segmentId } = await get(resend.segments.create({ name: 'Members' }));
  const { id: contactId } = await get(resend.contacts.create({ email: 'eve@example.com' }));
  const of = { contactId, segmentId };
  const inside = async () => (await get(resend.contacts.segments.list({ contactId }))).data.map((s) => s.id === segmentId && s.name);
  const before = await inside();
  await get(resend.contacts.segments.add(of));
  const within = await inside();
  await get(resend.contacts.segments.remove(of));
  return { before, within, after: await inside() };
}

async function emails() {
  const mail = { from: 'Ada <ada@parity.example>', to: ['eve@example.com'], subject: 'Tea', html: '<p>Now?</p>' };
  const found = await life({
    create: () => get(resend.emails.send(mail)),
    read: (id) => get(resend.emails.get(id)),
    list: () => all((page) => resend.emails.list(page)),
    show: ({ object, from, to, subject, html, last_event }) => ({ object, from, to, subject, html, last_event }),
  });
  const once = { idempotencyKey: 'tea/1' };
  const first = await get(resend.emails.send(mail, once));
  const again = await get(resend.emails.send(mail, once));
  const later = await get(resend.emails.send({ ...mail, scheduledAt: '2030-01-01T00:00:00.000Z' }));
  await get(resend.emails.cancel(later.id));
  const batch = await get(resend.batch.send([mail, { ...mail, subject: 'Coffee' }]));
  const subjects = [];
  for (const { id } of batch.data) subjects.push((await get(resend.emails.get(id))).subject);
  return { ...found, once: first.id === again.id, cancelled: (await get(resend.emails.get(later.id))).last_event, subjects };
}

async function keys() {
  const made = await get(resend.apiKeys.create({ name: 'Production' }));
  const listed = () => all((page) => resend.apiKeys.list(page)).then((keys) => keys.filter((k) => k.id === made.id));
  const [key] = await listed();
  await get(resend.apiKeys.remove(made.id));
  return { token: typeof made.token, name: key.name, secret: key.token, left: (await listed()).length };
}

const templates = () => life({
  create: () => get(resend.templates.create({ name: 'Welcome', subject: 'Hello', html: '<p>Hello.</p>' })),
  read: (id) => get(resend.templates.get(id)),
  list: () => all((page) => resend.templates.list(page)),
  update: async (id) => {
    await get(resend.templates.update(id, { subject: 'Good day' }));
    return get(resend.templates.publish(id));
  },
  remove: (id) => get(resend.templates.remove(id)), removed: deleted,
  show: ({ object, name, subject, html, status }) => ({ object, name, subject, html, status }),
});

const topics = () => life({
  create: () => get(resend.topics.create({ name: 'News', defaultSubscription: 'opt_in' })),
  read: (id) => get(resend.topics.get(id)),
  list: () => all(() => resend.topics.list()),
  update: (id) => get(resend.topics.update({ id, name: 'Old news' })),
  remove: (id) => get(resend.topics.remove(id)), removed: deleted,
  show: ({ object, name, default_subscription }) => ({ object, name, default_subscription }),
});

// Twelve in pages of five.
async function pages() {
  const made = [];
  for (let i = 0; i < 12; i++) made.push((await get(resend.segments.create({ name: `Page ${i}` }))).id);
  const seen = (await all((page) => resend.segments.list(page))).map((s) => s.id).filter((id) => made.includes(id));
  return { seen: seen.length, newest: seen.join() === made.toReversed().join() };
}

async function errors() {
  const absent = '00000000-0000-4000-8000-000000000000';
  return {
    absent: await refusal(resend.contacts.get(absent)),
    no_subject: await refusal(resend.emails.send({ from: 'ada@parity.example', to: 'eve@example.com' })),
    bad_region: await refusal(resend.domains.create({ name: 'parity.example', region: 'mars' })),
    no_key: await refusal(new Resend(' ').domains.list()),
  };
}

await tell({ domains, contacts, audiences, members, emails, keys, templates, topics, pages, errors });
