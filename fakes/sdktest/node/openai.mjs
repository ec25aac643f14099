// Files, assistants, threads, vector stores and batches through the official
// SDK, unmodified; its base URL is OPENAI_BASE_URL, as the SDK has it.
import OpenAI, { toFile } from 'openai';
import { collect, failure, life, tell } from './tell.mjs';

const openai = new OpenAI({ apiKey: 'sk-parity' });
const lines = '{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{}}\n';
const deleted = (reply, id) => reply.deleted && reply.id === id;
const upload = async (name, purpose = 'assistants') => openai.files.create({ file: await toFile(Buffer.from(lines), name), purpose });

const files = () => life({
  create: () => upload('notes.jsonl'),
  read: (id) => openai.files.retrieve(id),
  list: () => collect(openai.files.list({ purpose: 'assistants' })),
  remove: (id) => openai.files.delete(id), removed: deleted,
  show: ({ object, filename, bytes, purpose }) => ({ object, filename, bytes, purpose }),
});

const assistants = () => life({
  create: () => openai.beta.assistants.create({ model: 'gpt-4o', name: 'Ada', instructions: 'Be brief.', tools: [{ type: 'code_interpreter' }], metadata: { tier: 'gold' } }),
  read: (id) => openai.beta.assistants.retrieve(id),
  list: () => collect(openai.beta.assistants.list()),
  update: (id) => openai.beta.assistants.update(id, { name: 'Ada L.', metadata: { tier: 'iron' } }),
  remove: (id) => openai.beta.assistants.delete(id), removed: deleted,
  show: ({ object, model, name, instructions, tools, metadata }) => ({ object, model, name, instructions, tools: tools.map((t) => t.type), metadata }),
});

async function threads() {
  const other = await openai.beta.threads.create();
  await openai.beta.threads.messages.create(other.id, { role: 'user', content: 'Elsewhere.' });
  const thread = await openai.beta.threads.create({ metadata: { topic: 'tea' } });
  const within = { thread_id: thread.id };
  const messages = await life({
    create: () => openai.beta.threads.messages.create(thread.id, { role: 'user', content: 'Which tea?', metadata: { seen: 'no' } }),
    read: (id) => openai.beta.threads.messages.retrieve(id, within),
    list: () => collect(openai.beta.threads.messages.list(thread.id)),
    update: (id) => openai.beta.threads.messages.update(id, { ...within, metadata: { seen: 'yes' } }),
    remove: (id) => openai.beta.threads.messages.delete(id, within), removed: deleted,
    show: ({ object, thread_id, role, content, metadata }) => ({ object, here: thread_id === thread.id, role, text: content[0]?.text?.value, metadata }),
  });
  const parts = await openai.beta.threads.messages.create(thread.id, { role: 'user', content: [{ type: 'text', text: 'Green tea.' }] });
  const assistant = await openai.beta.assistants.create({ model: 'gpt-4o' });
  const run = await openai.beta.threads.runs.create(thread.id, { assistant_id: assistant.id });
  const ran = await openai.beta.threads.runs.retrieve(run.id, within);
  const cancelled = await openai.beta.threads.runs.cancel(run.id, within);
  const whole = await life({
    create: () => openai.beta.threads.create({ metadata: { topic: 'tea' } }),
    read: (id) => openai.beta.threads.retrieve(id),
    update: (id) => openai.beta.threads.update(id, { metadata: { topic: 'coffee' } }),
    remove: (id) => openai.beta.threads.delete(id), removed: deleted,
    show: ({ object, metadata }) => ({ object, metadata }),
  });
  return {
    ...whole, messages, parts: (await openai.beta.threads.messages.retrieve(parts.id, within)).content[0].text.value,
    elsewhere: (await collect(openai.beta.threads.messages.list(other.id))).length,
    run: { status: run.status, here: ran.thread_id === thread.id && ran.id === run.id, by: ran.assistant_id === assistant.id, cancelled: cancelled.status },
  };
}

async function stores() {
  const file = await upload('facts.txt');
  const store = await openai.vectorStores.create({ name: 'Facts' });
  const within = { vector_store_id: store.id };
  const entries = await life({
    create: () => openai.vectorStores.files.create(store.id, { file_id: file.id, attributes: { year: 2026 } }),
    read: (id) => openai.vectorStores.files.retrieve(id, within),
    list: () => collect(openai.vectorStores.files.list(store.id)),
    remove: (id) => openai.vectorStores.files.delete(id, within), removed: deleted,
    show: ({ id, object, vector_store_id, attributes, status }) => ({ object, is: id === file.id, here: vector_store_id === store.id, attributes, status }),
  });
  const whole = await life({
    create: () => openai.vectorStores.create({ name: 'Facts', metadata: { by: 'ada' } }),
    read: (id) => openai.vectorStores.retrieve(id),
    list: () => collect(openai.vectorStores.list()),
    update: (id) => openai.vectorStores.update(id, { name: 'More facts' }),
    remove: (id) => openai.vectorStores.delete(id), removed: deleted,
    show: ({ object, name, metadata, status }) => ({ object, name, metadata, status }),
  });
  return { ...whole, entries, file: (await openai.files.retrieve(file.id)).filename };
}

async function batches() {
  const input = await upload('work.jsonl', 'batch');
  const show = ({ object, endpoint, input_file_id, status, completion_window, metadata }) => (
    { object, endpoint, of: input_file_id === input.id, status, completion_window, metadata });
  const found = await life({
    create: () => openai.batches.create({ input_file_id: input.id, endpoint: '/v1/chat/completions', completion_window: '24h', metadata: { night: '1' } }),
    read: (id) => openai.batches.retrieve(id),
    list: () => collect(openai.batches.list()),
    update: (id) => openai.batches.cancel(id),
    show,
  });
  return found;
}

// Twelve in pages of five: newest first, as by default, and oldest first.
async function pages() {
  const made = [];
  for (let i = 0; i < 12; i++) made.push((await openai.vectorStores.create({ name: `Page ${i}` })).id);
  const ids = new Set(made);
  const seen = async (order) => (await collect(openai.vectorStores.list({ limit: 5, order }))).map((s) => s.id).filter((id) => ids.has(id)).join();
  return { newest: (await seen()) === made.toReversed().join(), oldest: (await seen('asc')) === made.join() };
}

// What models say is not what is asked here, only that the SDK can read it.
async function models() {
  const chat = await openai.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Which tea?' }] });
  const listed = await collect(openai.models.list());
  const model = await openai.models.retrieve(listed[0].id);
  const vectors = await openai.embeddings.create({ model: 'text-embedding-3-small', input: 'tea', encoding_format: 'float' });
  return {
    chat: chat.object, role: chat.choices[0].message.role, text: typeof chat.choices[0].message.content,
    model: model.object, same: model.id === listed[0].id, vectors: vectors.object,
  };
}

async function errors() {
  const other = new OpenAI({ apiKey: 'none', defaultHeaders: { Authorization: null } });
  return {
    absent: await failure(() => openai.beta.assistants.retrieve('asst_absent')),
    no_model: await failure(() => openai.beta.assistants.create({ name: 'Ada' })),
    bad_role: await failure(() => openai.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'queen', content: 'Tea.' }] })),
    bad_purpose: await failure(() => upload('notes.txt', 'fun')),
    no_key: await failure(() => other.files.list()),
    known: (await openai.beta.assistants.retrieve('asst_absent').catch((e) => e)) instanceof OpenAI.NotFoundError,
  };
}

await tell({ files, assistants, threads, stores, batches, pages, models, errors });
