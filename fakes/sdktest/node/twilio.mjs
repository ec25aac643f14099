// Messages, calls, numbers and queues through the official SDK, unmodified.
// TWILIO_BASE takes the place of Twilio's host: the SDK has no option for it, but
// takes an HTTP client of one's own.
import twilio from 'twilio';
import { failure, life, tell } from './tell.mjs';

const account = `AC${'a'.repeat(32)}`;
const base = process.env.TWILIO_BASE;
const usual = new twilio.RequestClient();
const moved = { request: (options) => usual.request({ ...options, uri: options.uri.replace('https://api.twilio.com', base) }) };
const client = twilio(account, 'parity', base ? { httpClient: moved } : {});

const id = (it) => it.sid;
const form = (prefix, sid) => new RegExp(`^${prefix}[0-9a-f]{32}$`).test(sid);

const messages = () => life({
  id,
  create: () => client.messages.create({ from: '+15005550006', to: '+15558675310', body: 'Tea?' }),
  read: (sid) => client.messages(sid).fetch(),
  list: () => client.messages.list({ to: '+15558675310' }),
  update: (sid) => client.messages(sid).update({ body: '' }),
  remove: (sid) => client.messages(sid).remove(),
  show: ({ sid, accountSid, from, to, body, status, direction, dateCreated }) => (
    { form: form('SM', sid), mine: accountSid === account, from, to, body, status, direction, dated: dateCreated instanceof Date && !isNaN(dateCreated) }),
});

const calls = () => life({
  id,
  create: () => client.calls.create({ from: '+15005550006', to: '+15558675310', url: 'https://parity.example/tea.xml' }),
  read: (sid) => client.calls(sid).fetch(),
  list: () => client.calls.list(),
  update: (sid) => client.calls(sid).update({ status: 'completed' }),
  remove: (sid) => client.calls(sid).remove(),
  show: ({ sid, accountSid, from, to, status, direction }) => ({ form: form('CA', sid), mine: accountSid === account, from, to, status, direction }),
});

const numbers = () => life({
  id,
  create: () => client.incomingPhoneNumbers.create({ phoneNumber: '+15005550006', friendlyName: 'Tea line', voiceUrl: 'https://parity.example/voice' }),
  read: (sid) => client.incomingPhoneNumbers(sid).fetch(),
  list: () => client.incomingPhoneNumbers.list(),
  update: (sid) => client.incomingPhoneNumbers(sid).update({ friendlyName: 'Coffee line', smsUrl: 'https://parity.example/sms' }),
  remove: (sid) => client.incomingPhoneNumbers(sid).remove(),
  show: ({ sid, phoneNumber, friendlyName, voiceUrl, smsUrl }) => ({ form: form('PN', sid), phoneNumber, friendlyName, voiceUrl, smsUrl }),
});

const queues = () => life({
  id,
  create: () => client.queues.create({ friendlyName: 'Waiting', maxSize: 9 }),
  read: (sid) => client.queues(sid).fetch(),
  list: () => client.queues.list(),
  update: (sid) => client.queues(sid).update({ friendlyName: 'Still waiting' }),
  remove: (sid) => client.queues(sid).remove(),
  show: ({ sid, friendlyName, maxSize }) => ({ form: form('QU', sid), friendlyName, maxSize }),
});

// Twelve in pages of five; the SDK follows next_page_uri.
async function pages() {
  const made = [];
  for (let i = 0; i < 12; i++) made.push((await client.queues.create({ friendlyName: `Page ${i}` })).sid);
  const seen = (await client.queues.list({ pageSize: 5 })).map(id).filter((sid) => made.includes(sid));
  const first = await client.queues.page({ pageSize: 5 });
  return { seen: new Set(seen).size, of: seen.length, first: first.instances.length, next: (await first.nextPage()).instances.length };
}

async function errors() {
  const absent = `SM${'0'.repeat(32)}`;
  const told = async (work) => {
    const found = await failure(work);
    return { class: found.class, status: found.status, code: (await work().catch((e) => e)).code };
  };
  return {
    absent: await told(() => client.messages(absent).fetch()),
    taken: await told(() => client.queues.create({ friendlyName: 'Page 0' })),
    bad_method: await told(() => client.calls.create({ from: '+15005550006', to: '+15558675310', url: 'https://parity.example/', method: 'BREW' })),
    known: (await client.messages(absent).fetch().catch((e) => e)) instanceof twilio.RestException,
  };
}

await tell({ messages, calls, numbers, queues, pages, errors });
