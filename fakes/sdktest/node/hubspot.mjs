// One agent's worth of calls through HubSpot's own SDK, unmodified. The first
// argument names the work; what it found is printed as one JSON document.
import { Client } from '@hubspot/api-client';

const basePath = process.env.HUBSPOT_BASE;
const options = (more) => ({ accessToken: 'pat-na1-00000000-0000-4000-8000-000000000001', ...(basePath ? { basePath } : {}), ...more });
const hubspot = new Client(options());

async function failure(work, how = hubspot) {
  try {
    await work(how);
    return { class: 'none' };
  } catch (e) {
    return { class: e.constructor.name, code: e.code, category: e.body?.category, message: e.body?.message, policy: e.body?.policyName };
  }
}

const ids = (results) => results.map((it) => it.id);

// Searches have a limit of their own, which this client waits for.
const patient = new Client(options({ numberOfApiCallRetries: 6 }));

// The life of a record of each type, by the generic operations.
async function records() {
  const found = {};
  const kinds = {
    contacts: [{ email: 'ada@example.com', firstname: 'Ada' }, { firstname: 'Augusta' }],
    companies: [{ name: 'Acme', domain: 'acme.example' }, { name: 'Acme Ltd' }],
    deals: [{ dealname: 'Big', dealstage: 'contractsent', amount: '100' }, { dealname: 'Bigger' }],
    tickets: [{ subject: 'Help', hs_pipeline_stage: '1' }, { subject: 'Help!' }],
    notes: [{ hs_note_body: 'Called.', hs_timestamp: '2026-01-02T03:04:05Z' }, { hs_note_body: 'Called back.' }],
    tasks: [{ hs_task_subject: 'Ring', hs_timestamp: '2026-01-02T03:04:05Z' }, { hs_task_status: 'COMPLETED' }],
  };
  for (const [kind, [first, then]] of Object.entries(kinds)) {
    const api = hubspot.crm.objects;
    const made = await api.basicApi.create(kind, { properties: first, associations: [] });
    const read = await api.basicApi.getById(kind, made.id, Object.keys(then));
    const changed = await api.basicApi.update(kind, made.id, { properties: then });
    const page = await api.basicApi.getPage(kind, 10);
    const batch = await api.batchApi.create(kind, { inputs: [{ properties: { ...first, ...(first.email ? { email: 'b@example.com' } : {}) }, associations: [] }] });
    const other = batch.results[0].id;
    const many = await api.batchApi.read(kind, { inputs: [{ id: made.id }, { id: '1' }], properties: Object.keys(then), propertiesWithHistory: [] });
    const altered = await api.batchApi.update(kind, { inputs: [{ id: other, properties: then }] });
    const upserted = await api.batchApi.upsert(kind, { inputs: [{ id: other, properties: then }] });
    await api.batchApi.archive(kind, { inputs: [{ id: other }] });
    await api.basicApi.archive(kind, made.id);
    const searched = await patient.crm.objects.searchApi.doSearch(kind, { filterGroups: [], limit: 5, after: '0', properties: [], sorts: [] });
    const [key, value] = Object.entries(then)[0];
    found[kind] = {
      made: made.id.length > 5 && made.createdAt instanceof Date, read: read.id === made.id, changed: changed.properties[key] === value,
      page: ids(page.results).includes(made.id), batch: batch.status, missing: [many.numErrors, many.errors[0].category, many.results.length],
      altered: altered.results[0].properties[key] === value, upserted: upserted.results[0]._new, gone: (await failure(() => api.basicApi.getById(kind, made.id))).code,
      searched: searched.total, archived: (await api.basicApi.getById(kind, made.id, undefined, undefined, undefined, true)).archived,
    };
  }
  return found;
}

// Contacts by their own API, and what they are associated with.
async function graph() {
  const { contacts, companies, deals, associations } = hubspot.crm;
  const a = await contacts.basicApi.create({ properties: { email: 'a@example.com', firstname: 'A' }, associations: [] });
  const b = await contacts.basicApi.create({ properties: { email: 'b@example.com', lastname: 'B' }, associations: [] });
  const company = await companies.basicApi.create({ properties: { name: 'Acme' }, associations: [] });
  const deal = await deals.basicApi.create({ properties: { dealname: 'D' }, associations: [{ to: { id: a.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 3 }] }] });
  const v4 = associations.v4;
  const both = await v4.basicApi.createDefault('contacts', a.id, 'companies', company.id);
  const labels = await v4.schema.definitionsApi.create('contacts', 'companies', { label: 'Pays', name: 'pays' });
  const set = await v4.basicApi.create('contacts', a.id, 'companies', company.id, [{ associationCategory: 'USER_DEFINED', associationTypeId: labels.results[0].typeId }]);
  const listed = await v4.basicApi.getPage('contacts', a.id, 'companies');
  const made = await v4.batchApi.create('deals', 'contacts', { inputs: [{ _from: { id: deal.id }, to: { id: b.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 3 }] }] });
  const read = await v4.batchApi.getPage('deals', 'contacts', { inputs: [{ id: deal.id }] });
  const old = await associations.batchApi.read('deals', 'contacts', { inputs: [{ id: deal.id }] });
  const shown = await contacts.basicApi.getById('a@example.com', ['email'], undefined, ['companies'], false, 'email');
  await v4.basicApi.archive('contacts', a.id, 'companies', company.id);
  const merged = await contacts.basicApi.merge({ primaryObjectId: a.id, objectIdToMerge: b.id });
  await contacts.basicApi.purge({ objectId: a.id });
  return {
    both: both.results.map((r) => r.associationSpec.associationTypeId), set: set.labels, listed: listed.results[0].associationTypes.map((t) => t.label),
    made: made.status, read: read.results[0].to.length, old: old.results[0].to.map((t) => t.type), shown: shown.associations.companies.results.length,
    merged: [merged.properties.firstname, merged.properties.lastname], purged: (await failure(() => contacts.basicApi.getById(a.id))).code,
  };
}

// Properties, pipelines, owners, tokens.
async function around() {
  const { properties, pipelines, owners } = hubspot.crm;
  const all = await properties.coreApi.getAll('contacts');
  const made = await properties.coreApi.create('contacts', { name: 'tier', label: 'Tier', type: 'string', fieldType: 'text', groupName: 'contactinformation' });
  const read = await properties.coreApi.getByName('contacts', 'tier');
  const sales = await pipelines.pipelinesApi.getAll('deals');
  const one = await pipelines.pipelinesApi.getById('deals', sales.results[0].id);
  const stages = await pipelines.pipelineStagesApi.getAll('deals', one.id);
  const people = await owners.ownersApi.getPage();
  const token = await hubspot.oauth.tokensApi.create('authorization_code', 'the-code', 'https://example.com/back', 'app', 'secret-of-the-app');
  const renewed = await hubspot.oauth.tokensApi.create('refresh_token', undefined, undefined, 'app', 'secret-of-the-app', token.refreshToken);
  const other = new Client({ ...options(), accessToken: renewed.accessToken });
  const usage = await (await hubspot.apiRequest({ method: 'GET', path: '/account-info/v3/api-usage/daily/private-apps' })).json();
  return {
    properties: all.results.length > 100, made: made.hubspotDefined, read: read.label, stages: stages.results.length, owners: people.results.length,
    token: [token.tokenType, token.expiresIn], renewed: (await failure((it) => it.crm.contacts.basicApi.getPage(1), other)).class, usage: usage.currentUsage > 5,
  };
}

// A list of 21, by the SDK's own helper.
async function page() {
  const made = [];
  for (let i = 0; i < 21; i++) made.push((await hubspot.crm.companies.basicApi.create({ properties: { name: `C${i}` }, associations: [] })).id);
  const seen = ids(await hubspot.crm.companies.getAll(10));
  return { seen: seen.length, all: new Set(seen).size === 21 && made.every((id) => seen.includes(id)) };
}

// One of each kind of error.
async function fail() {
  const { contacts } = hubspot.crm;
  await contacts.basicApi.create({ properties: { email: 'ada@example.com' }, associations: [] });
  const bad = new Client({ ...options(), accessToken: 'wrong' });
  const taken = await failure(() => contacts.basicApi.create({ properties: { email: 'ada@example.com' }, associations: [] }));
  taken.message = taken.message.replace(/[0-9]+$/, 'N');
  const invalid = await failure(() => contacts.basicApi.create({ properties: { nosuch: 'x' }, associations: [] }));
  invalid.message = invalid.message.slice(0, 42);
  return {
    taken, invalid, absent: { ...(await failure(() => contacts.basicApi.update('1', { properties: { firstname: 'x' } }))) },
    type: await failure(() => hubspot.crm.objects.basicApi.getPage('widgets')),
    bad_token: await failure((it) => it.crm.contacts.basicApi.getPage(1), bad),
  };
}

// What the SDK makes of trouble, without retries and with three.
async function trouble() {
  const made = async (how) => failure((it) => it.crm.companies.basicApi.create({ properties: { name: 'Once' }, associations: [] }), how);
  const first = await made(new Client(options()));
  const again = await made(new Client(options({ numberOfApiCallRetries: 3 })));
  const there = (await hubspot.crm.objects.basicApi.getPage('companies', 100)).results.length;
  return { first: { class: first.class, code: first.code, policy: first.policy }, again: again.class, there };
}

const found = await { records, graph, around, page, fail, trouble }[process.argv[2]]();
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
