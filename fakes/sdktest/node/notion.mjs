// Every operation that the official SDK, unmodified, has and the fake models:
// pages, blocks, databases, comments, files, tokens. Its base URL is
// NOTION_BASE. What it found is printed as one JSON document.
import { Client, collectPaginatedAPI, iteratePaginatedAPI } from '@notionhq/client';
import { tell } from './tell.mjs';

const options = process.env.NOTION_BASE ? { baseUrl: process.env.NOTION_BASE } : {};
const make = (more = {}) => new Client({ auth: 'ntn_parity', logLevel: 'error', retry: { initialRetryDelayMs: 10 }, ...options, ...more });
const notion = make();
const root = '2a4c9d10-7b3e-8051-bf26-c01d5e8f9a73';
const text = (content) => [{ text: { content } }];
const paragraph = (content) => ({ paragraph: { rich_text: text(content) } });
const said = (block) => block[block.type].rich_text[0].plain_text;
const page = (title, more = {}) => notion.pages.create({ parent: { page_id: root }, properties: { title: { title: text(title) } }, ...more });

// The SDK's own error, by its class and what it says.
async function failure(work) {
  try {
    await work();
    return { class: 'none' };
  } catch (e) {
    return { class: e.constructor.name, code: e.code, status: e.status };
  }
}

async function people() {
  const me = await notion.users.me({});
  const all = await collectPaginatedAPI(notion.users.list, { page_size: 1 });
  const one = await notion.users.retrieve({ user_id: all[0].id });
  return { me: me.type, all: all.map((u) => u.type), one: one.person.email, emojis: (await notion.customEmojis.list({})).results.length };
}

async function pages() {
  const made = await page('Plan', { icon: { emoji: '🎈' } });
  await notion.pages.update({ page_id: made.id, properties: { title: { title: text('Plan B') } } });
  const read = await notion.pages.retrieve({ page_id: made.id });
  const title = await notion.pages.properties.retrieve({ page_id: made.id, property_id: 'title' });
  const other = await page('Other');
  const moved = await notion.pages.move({ page_id: made.id, parent: { page_id: other.id } });
  const trashed = await notion.pages.update({ page_id: made.id, in_trash: true });
  return { icon: read.icon.emoji, title: title.results[0].title.plain_text, moved: moved.parent.page_id === other.id, trashed: trashed.in_trash };
}

async function blocks() {
  const { id } = await page('Blocks', { children: [paragraph('a')] });
  const added = await notion.blocks.children.append({ block_id: id, children: [paragraph('b'), paragraph('c'), paragraph('d')] });
  const block_id = added.results[0].id;
  await notion.blocks.update({ block_id, paragraph: { rich_text: text('B') } });
  const read = await notion.blocks.retrieve({ block_id });
  await notion.blocks.delete({ block_id: added.results[2].id });
  const walked = [];
  for await (const block of iteratePaginatedAPI(notion.blocks.children.list, { block_id: id, page_size: 2 })) walked.push(said(block));
  return { read: said(read), walked };
}

async function markdown() {
  const { id } = await page('Markdown', { children: [paragraph('one')] });
  await notion.pages.updateMarkdown({ page_id: id, type: 'insert_content', insert_content: { content: '- two' } });
  return { is: (await notion.pages.retrieveMarkdown({ page_id: id })).markdown };
}

async function data() {
  const database = await notion.databases.create({
    parent: { type: 'page_id', page_id: root }, title: text('Tasks'),
    initial_data_source: { properties: { Name: { title: {} }, Points: { number: {} }, Kind: { select: {} } } },
  });
  const data_source_id = database.data_sources[0].id;
  await notion.dataSources.update({ data_source_id, properties: { Done: { checkbox: {} } } });
  for (let i = 0; i < 5; i++) {
    await notion.pages.create({ parent: { data_source_id }, properties: { Name: { title: text(`t${i}`) }, Points: { number: i }, Kind: { select: { name: i % 2 ? 'odd' : 'even' } } } });
  }
  const found = await collectPaginatedAPI(notion.dataSources.query, {
    data_source_id, page_size: 2, filter: { property: 'Kind', select: { equals: 'even' } }, sorts: [{ property: 'Points', direction: 'ascending' }],
  });
  const source = await notion.dataSources.retrieve({ data_source_id });
  const second = await notion.dataSources.create({ parent: { database_id: database.id }, properties: { Name: { title: {} } }, title: text('More') });
  await notion.databases.update({ database_id: database.id, title: text('All tasks') });
  const read = await notion.databases.retrieve({ database_id: database.id });
  const templates = await notion.dataSources.listTemplates({ data_source_id });
  return {
    points: found.map((p) => p.properties.Points.number), schema: Object.keys(source.properties).sort(), second: second.object,
    title: read.title[0].plain_text, sources: read.data_sources.length, templates: templates.templates.length,
  };
}

async function views() {
  const database = await notion.databases.create({ parent: { type: 'page_id', page_id: root }, initial_data_source: { properties: { Name: { title: {} }, N: { number: {} } } } });
  const data_source_id = database.data_sources[0].id;
  for (let i = 0; i < 3; i++) await notion.pages.create({ parent: { data_source_id }, properties: { N: { number: i } } });
  const made = await notion.views.create({ data_source_id, name: 'Some', type: 'table', filter: { property: 'N', number: { greater_than: 0 } } });
  await notion.views.update({ view_id: made.id, name: 'Most' });
  const read = await notion.views.retrieve({ view_id: made.id });
  const listed = await notion.views.list({ database_id: database.id });
  const query = await notion.views.queries.create({ view_id: made.id, page_size: 1 });
  const rest = await notion.views.queries.results({ view_id: made.id, query_id: query.id, start_cursor: query.next_cursor });
  await notion.views.delete({ view_id: made.id });
  return { name: read.name, listed: listed.results.length, total: query.total_count, rest: rest.results.length };
}

async function talk() {
  const { id } = await page('Talk');
  const made = await notion.comments.create({ parent: { page_id: id }, rich_text: text('hello') });
  await notion.comments.create({ discussion_id: made.discussion_id, rich_text: text('again') });
  await notion.comments.update({ comment_id: made.id, rich_text: text('changed') });
  const listed = await collectPaginatedAPI(notion.comments.list, { block_id: id, page_size: 1 });
  const read = await notion.comments.retrieve({ comment_id: made.id });
  await notion.comments.delete({ comment_id: made.id });
  const found = await notion.search({ query: 'Rehearsal', filter: { property: 'object', value: 'page' } });
  return { listed: listed.map((c) => c.rich_text[0].plain_text), read: read.rich_text[0].plain_text, found: found.results.map((p) => p.id === root) };
}

async function files() {
  const made = await notion.fileUploads.create({ filename: 'a.txt', content_type: 'text/plain' });
  const sent = await notion.fileUploads.send({ file_upload_id: made.id, file: { filename: 'a.txt', data: new Blob(['hello'], { type: 'text/plain' }) } });
  const listed = await notion.fileUploads.list({ status: 'uploaded' });
  const read = await notion.fileUploads.retrieve({ file_upload_id: made.id });
  return { pending: made.status, sent: sent.status, length: read.content_length, listed: listed.results.length };
}

async function tokens() {
  const client = { client_id: 'id', client_secret: 'secret' };
  const token = await notion.oauth.token({ ...client, grant_type: 'authorization_code', code: 'c1' });
  const me = await make({ auth: token.access_token }).users.me({});
  const live = await notion.oauth.introspect({ ...client, token: token.access_token });
  await notion.oauth.revoke({ ...client, token: token.access_token });
  return { me: me.type, live: live.active, after: await failure(() => make({ auth: token.access_token }).users.me({})) };
}

async function errors() {
  return {
    bad: await failure(() => notion.pages.create({ parent: { page_id: 'abc' }, properties: {} })),
    absent: await failure(() => notion.pages.retrieve({ page_id: '00000000-0000-0000-0000-000000000000' })),
    token: await failure(() => make({ auth: 'nothing' }).users.me({})),
    version: await failure(() => make({ notionVersion: '2001-01-01' }).users.me({})),
  };
}

// What the SDK lets its agent see of faults that the profile has.
async function faults() {
  const { id } = await page('Faults');
  const count = async () => (await collectPaginatedAPI(notion.blocks.children.list, { block_id: root })).length;
  const before = await count();
  return {
    limited: await failure(() => notion.users.list({})),
    read: await failure(() => notion.pages.retrieve({ page_id: id })),
    conflict: await failure(() => notion.pages.update({ page_id: id, icon: null })),
    write: await failure(() => notion.blocks.children.append({ block_id: id, children: [paragraph('x')] })),
    lost: await failure(() => notion.databases.create({ parent: { type: 'page_id', page_id: root }, title: text('Lost') })),
    made: (await count()) - before,
  };
}

const parts = process.argv[2] === 'faults' ? { faults } : { people, pages, blocks, markdown, data, views, talk, files, tokens, errors };
await tell(parts);
