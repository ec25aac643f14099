// One agent's worth of calls through the official client, unmodified. What it
// found is printed as one JSON document, which the Go test judges.
import { generateKeyPairSync } from 'node:crypto';
import { auth, calendar } from '@googleapis/calendar';

// The client takes the host of a rootUrl, and drops its path.
const base = process.env.GOOGLECALENDAR_BASE;

function client(credentials) {
  const oauth = new auth.OAuth2({ clientId: 'me', clientSecret: 'mine' });
  oauth.setCredentials(credentials);
  return calendar({ version: 'v3', auth: oauth, ...(base ? { rootUrl: `${base}/` } : {}) });
}

const google = client({ access_token: 'ya29.sdk' });
const primary = { calendarId: 'primary' };

async function failure(work) {
  try {
    await work;
    return { class: 'none' };
  } catch (e) {
    const body = e.response?.data?.error;
    return { class: e.constructor.name, status: e.status, code: e.code === undefined ? undefined : String(e.code), message: e.message, reason: body?.errors?.[0]?.reason ?? body };
  }
}

const hours = (day, from, to) => ({
  start: { dateTime: `${day}T${from}:00`, timeZone: 'Europe/Vienna' }, end: { dateTime: `${day}T${to}:00`, timeZone: 'Europe/Vienna' },
});

// Every method of the list, once.
async function life() {
  const team = (await google.calendars.insert({ requestBody: { summary: 'Team', timeZone: 'Europe/Vienna' } })).data;
  const renamed = (await google.calendars.patch({ calendarId: team.id, requestBody: { summary: 'The team' } })).data;
  const on = { calendarId: team.id };
  const made = (await google.events.insert({ ...on, sendUpdates: 'all', conferenceDataVersion: 1, requestBody: {
    summary: 'Weekly', ...hours('2026-03-23', '09:00', '10:00'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'], attendees: [{ email: 'ada@example.org' }],
    conferenceData: { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  } })).data;
  const event = { ...on, eventId: made.id };
  const patched = (await google.events.patch({ ...event, requestBody: { location: 'Graz' } }, { headers: { 'If-Match': made.etag } })).data;
  const updated = (await google.events.update({ ...event, requestBody: { ...patched, summary: 'Weekly sync' } })).data;
  const read = await google.events.get(event);
  const instances = (await google.events.instances(event)).data.items;
  const listed = (await google.events.list({ ...on, singleEvents: true, orderBy: 'startTime', timeMin: '2026-03-24T00:00:00Z', timeZone: 'UTC' })).data;
  const imported = (await google.events.import({ ...on, requestBody: { iCalUID: 'x@example.org', summary: 'Imported', ...hours('2026-04-01', '10:00', '11:00') } })).data;
  const quick = (await google.events.quickAdd({ ...primary, text: 'Lunch on 2026-04-02 12pm' })).data;
  const moved = (await google.events.move({ ...primary, eventId: quick.id, destination: team.id })).data;
  const busy = (await google.freebusy.query({ requestBody: { timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-03-24T00:00:00Z', items: [{ id: team.id }, { id: 'nobody@example.org' }] } })).data;
  const channel = (await google.events.watch({ ...on, requestBody: { id: 'ch-1', type: 'web_hook', address: 'https://agent.example/hook' } })).data;
  const stopped = await google.channels.stop({ requestBody: { id: channel.id, resourceId: channel.resourceId } });
  const rule = (await google.acl.insert({ ...on, requestBody: { role: 'reader', scope: { type: 'user', value: 'ada@example.org' } } })).data;
  const rules = (await google.acl.list(on)).data.items;
  const list = (await google.calendarList.list()).data.items;
  const entry = (await google.calendarList.get({ calendarId: team.id })).data;
  await google.calendarList.delete({ calendarId: team.id });
  const again = (await google.calendarList.insert({ requestBody: { id: team.id, colorId: '5' } })).data;
  const settings = (await google.settings.list()).data.items;
  const colors = (await google.colors.get()).data;
  const deleted = await google.events.delete(event);
  const calendarRead = (await google.calendars.get(on)).data;
  const removed = await google.calendars.delete(on);
  return {
    calendar: [team.kind, renamed.summary, calendarRead.timeZone, removed.status], entry: [entry.accessRole, again.backgroundColor, list.length],
    made: [made.kind, made.status, made.start.dateTime, made.attendees[0].responseStatus, made.conferenceData.conferenceSolution.name],
    patched: [patched.location, patched.sequence], updated: updated.summary, read: read.headers.get?.('etag') === read.data.etag || read.headers.etag === read.data.etag,
    instances: instances.map((i) => i.start.dateTime), listed: listed.items.map((i) => i.start.dateTime), zone: listed.timeZone,
    imported: imported.iCalUID, quick: quick.summary, moved: [moved.status, moved.organizer.displayName],
    busy: [busy.calendars[team.id].busy.length, busy.calendars['nobody@example.org'].errors[0].reason], stopped: stopped.status,
    rule: [rule.id, rules.length], settings: settings.some((s) => s.id === 'timezone'), colors: Object.keys(colors.event).length, deleted: deleted.status,
  };
}

// A list of 21, page by page, and then what changed.
async function page() {
  for (let i = 0; i < 21; i++) await google.events.insert({ ...primary, requestBody: { summary: `Event ${i}`, start: { date: '2026-03-02' }, end: { date: '2026-03-03' } } });
  const seen = [];
  let pages = 0;
  let token;
  let sync;
  do {
    const { data } = await google.events.list({ ...primary, maxResults: 10, pageToken: token });
    seen.push(...data.items);
    pages++;
    token = data.nextPageToken;
    sync = data.nextSyncToken;
  } while (token);
  await google.events.delete({ ...primary, eventId: seen[3].id });
  const changed = (await google.events.list({ ...primary, syncToken: sync })).data.items;
  return { seen: new Set(seen.map((e) => e.id)).size, pages, changed: changed.map((e) => e.status), same: changed[0].id === seen[3].id };
}

// One of each class of error.
async function fail() {
  const make = (id) => google.events.insert({ ...primary, requestBody: { id, summary: 'x', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } } });
  const first = (await make('order00042')).data;
  await google.events.patch({ ...primary, eventId: first.id, requestBody: { summary: 'y' } });
  const doomed = (await make('order00043')).data;
  await google.events.delete({ ...primary, eventId: doomed.id });
  return {
    absent: await failure(google.events.get({ ...primary, eventId: 'nosuch' })),
    taken: await failure(make('order00042')),
    gone: await failure(google.events.delete({ ...primary, eventId: doomed.id })),
    stale: await failure(google.events.patch({ ...primary, eventId: first.id, requestBody: { summary: 'z' } }, { headers: { 'If-Match': first.etag } })),
    empty: await failure(google.events.insert({ ...primary, requestBody: { summary: 'x' } })),
    order: await failure(google.events.list({ ...primary, orderBy: 'startTime' })),
    token: await failure(google.events.list({ ...primary, syncToken: 'CAbc' })),
    credential: await failure(client({ access_token: 'wrong' }).events.list(primary)),
  };
}

// Tokens that the client gets for itself. Its token calls know no other host.
async function sign() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const robot = new auth.JWT({
    email: 'bot@project.iam.gserviceaccount.com', key: privateKey.export({ type: 'pkcs8', format: 'pem' }), scopes: ['https://www.googleapis.com/auth/calendar'],
  });
  const account = calendar({ version: 'v3', auth: robot });
  const refreshed = client({ refresh_token: '1//mine' });
  return {
    robot: (await account.events.list(primary)).data.kind, refreshed: (await refreshed.events.list(primary)).data.kind,
    malformed: await failure(client({ refresh_token: 'mine' }).events.list(primary)),
  };
}

// What the client does by itself about trouble: rules of the profile make it.
async function trouble() {
  return {
    limited: await failure(google.events.list(primary)), broken: await failure(google.calendarList.list()),
    conflict: await failure(google.calendars.insert({ requestBody: { summary: 'x' } })),
  };
}

// A reply that is lost after the event was made, with an id of one's own: the
// second attempt is told that it is there.
async function lose() {
  const make = (id) => google.events.insert({ ...primary, requestBody: { id, summary: 'Once', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } } });
  const { class: lost } = await failure(make('order00042'));
  const { status, reason } = await failure(make('order00042'));
  return { lost, status, reason, events: (await google.events.list(primary)).data.items.length };
}

const [task] = process.argv.slice(2);
const found = await { life, page, fail, sign, trouble, lose }[task]();
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
