// Contacts, companies, tags, articles and conversations through the official
// SDK, unmodified; INTERCOM_BASE is its option baseUrl.
import { IntercomClient, IntercomError } from 'intercom-client';
import { collect, failure, life, tell } from './tell.mjs';

const options = process.env.INTERCOM_BASE ? { baseUrl: process.env.INTERCOM_BASE } : {};
const intercom = new IntercomClient({ token: 'parity', ...options });

const contacts = () => life({
  create: () => intercom.contacts.create({ email: 'ada@example.com', name: 'Ada', external_id: 'u-1', custom_attributes: { plan: 'gold' } }),
  read: (contact_id) => intercom.contacts.find({ contact_id }),
  list: async () => collect(await intercom.contacts.list()),
  update: (contact_id) => intercom.contacts.update({ contact_id, name: 'Ada L.' }),
  remove: (contact_id) => intercom.contacts.delete({ contact_id }), removed: (reply, id) => reply.deleted && reply.id === id,
  show: ({ type, email, name, external_id, custom_attributes }) => ({ type, email, name, external_id, custom_attributes }),
});

// One of three is looked for.
async function search() {
  const made = {};
  for (const name of ['Eve', 'Bob', 'Mallory']) made[name] = (await intercom.contacts.create({ email: `${name.toLowerCase()}@search.example`, name })).id;
  const find = async (query) => (await collect(await intercom.contacts.search({ query }))).map((c) => c.name).toSorted();
  return {
    equal: await find({ field: 'email', operator: '=', value: 'bob@search.example' }),
    other: await find({ operator: 'AND', value: [
      { field: 'email', operator: '~', value: 'search.example' }, { field: 'name', operator: '!=', value: 'Eve' }] }),
    none: await find({ field: 'email', operator: '=', value: 'nobody@search.example' }),
  };
}

const companies = () => life({
  create: () => intercom.companies.createOrUpdate({ company_id: 'acme', name: 'Acme', size: 12, website: 'https://acme.example' }),
  read: (company_id) => intercom.companies.find({ company_id }),
  list: async () => collect(await intercom.companies.list()),
  update: (company_id) => intercom.companies.update({ company_id, body: { name: 'Acme Ltd', size: 13 } }),
  remove: (company_id) => intercom.companies.delete({ company_id }), removed: (reply, id) => reply.deleted && reply.id === id,
  show: ({ type, company_id, name, size, website }) => ({ type, company_id, name, size, website }),
});

async function tags() {
  const found = await life({
    create: () => intercom.tags.create({ name: 'VIP' }),
    read: (tag_id) => intercom.tags.find({ tag_id }),
    list: async () => (await intercom.tags.list()).data,
    remove: (tag_id) => intercom.tags.delete({ tag_id }),
    show: ({ type, name }) => ({ type, name }),
  });
  const contact = await intercom.contacts.create({ email: 'tagged@example.com' });
  const tag = await intercom.tags.create({ name: 'Tea' });
  const of = { contact_id: contact.id };
  const names = async () => (await intercom.contacts.listAttachedTags(of)).data.map((t) => t.id === tag.id && t.name);
  const before = await names();
  await intercom.tags.tagContact({ ...of, id: tag.id });
  const during = await names();
  await intercom.tags.untagContact({ ...of, tag_id: tag.id });
  return { ...found, before, during, after: await names() };
}

const articles = () => life({
  create: () => intercom.articles.create({ title: 'Tea', description: 'How to make it', body: '<p>Boil water.</p>', author_id: 991267784, state: 'draft' }),
  read: (article_id) => intercom.articles.find({ article_id }),
  list: async () => collect(await intercom.articles.list()),
  update: (article_id) => intercom.articles.update({ article_id, title: 'Good tea', state: 'published' }),
  remove: (article_id) => intercom.articles.delete({ article_id }), removed: (reply, id) => reply.deleted && reply.id === id,
  show: ({ type, title, description, state }) => ({ type, title, description, state }),
});

// A creation gives a message, which says what conversation it is in.
async function conversations() {
  const contact = await intercom.contacts.create({ email: 'talks@example.com' });
  return life({
    id: (it) => it.conversation_id ?? it.id,
    create: () => intercom.conversations.create({ from: { type: 'user', id: contact.id }, body: 'Where is my tea?' }),
    read: (conversation_id) => intercom.conversations.find({ conversation_id }),
    list: async () => collect(await intercom.conversations.list()),
    update: (conversation_id) => intercom.conversations.update({ conversation_id, title: 'Tea', read: true }),
    remove: (conversation_id) => intercom.conversations.deleteConversation({ conversation_id }), removed: (reply, id) => reply.deleted && reply.id === id,
    show: ({ type, title, source, state, read }) => ({ type, title, body: source?.body, state, read }),
  });
}

// Twelve in pages of five.
async function pages() {
  const made = [];
  for (let i = 0; i < 12; i++) made.push((await intercom.contacts.create({ email: `page${i}@example.com` })).id);
  const seen = (await collect(await intercom.contacts.list({ per_page: 5 }))).map((c) => c.id).filter((id) => made.includes(id));
  return { seen: new Set(seen).size, of: seen.length };
}

async function errors() {
  const other = new IntercomClient({ token: '', ...options });
  return {
    absent: told(await failure(() => intercom.contacts.find({ contact_id: 'absent' }))),
    no_name: told(await failure(() => intercom.tags.create({}))),
    bad_state: told(await failure(() => intercom.articles.create({ title: 'Tea', author_id: 1, state: 'boiling' }))),
    no_key: told(await failure(() => other.contacts.list())),
    known: (await intercom.contacts.find({ contact_id: 'absent' }).catch((e) => e)) instanceof IntercomError,
  };
}

// The SDK's message ends with the body, which has an id of the request.
const told = ({ message, ...rest }) => ({ ...rest, says: message?.match(/"message": "(.*)"/)?.[1] });

await tell({ contacts, search, companies, tags, articles, conversations, pages, errors });
