// One agent's worth of calls through the official SDK, unmodified. What it
// found is printed as one JSON document, which the Go test judges.
import { WebClient, LogLevel } from '@slack/web-api';

const options = { logLevel: LogLevel.ERROR, retryConfig: { retries: 2, minTimeout: 50, maxTimeout: 100 } };
if (process.env.SLACK_BASE) options.slackApiUrl = `${process.env.SLACK_BASE}/api/`;
const bot = new WebClient('xoxb-1-sdk', options);
const person = new WebClient('xoxp-1-sdk', options);
const [general, ahmed, mei] = ['C0GENERAL01', 'U0PERSON002', 'U0PERSON003'];

async function failure(work) {
  try {
    await work;
    return { class: 'none' };
  } catch (e) {
    return { class: e.code, error: e.data?.error, needed: e.data?.needed, messages: e.data?.response_metadata?.messages, after: e.retryAfter, status: e.statusCode };
  }
}

// Everything about channels, messages and people.
async function work() {
  const me = await bot.auth.test();
  const team = await bot.team.info();
  const channel = (await bot.conversations.create({ name: 'launch' })).channel;
  await bot.conversations.invite({ channel: channel.id, users: `${ahmed},${mei}` });
  await bot.conversations.setTopic({ channel: channel.id, topic: 'Ship it' });
  const renamed = await bot.conversations.rename({ channel: channel.id, name: 'launched' });
  const posted = await bot.chat.postMessage({ channel: channel.id, text: 'Hi <@U0PERSON002> & all', blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*Hi*' } }] });
  const reply = await bot.chat.postMessage({ channel: channel.id, text: 'first', thread_ts: posted.ts });
  await bot.chat.update({ channel: channel.id, ts: reply.ts, text: 'second' });
  const thread = await bot.conversations.replies({ channel: channel.id, ts: posted.ts });
  await bot.reactions.add({ channel: channel.id, timestamp: posted.ts, name: 'tada' });
  const reactions = await bot.reactions.get({ channel: channel.id, timestamp: posted.ts });
  await bot.reactions.remove({ channel: channel.id, timestamp: posted.ts, name: 'tada' });
  const link = await bot.chat.getPermalink({ channel: channel.id, message_ts: posted.ts });
  const ephemeral = await bot.chat.postEphemeral({ channel: channel.id, user: ahmed, text: 'psst' });
  const at = Math.floor(Date.now() / 1000) + 3600;
  const later = await bot.chat.scheduleMessage({ channel: channel.id, post_at: at, text: 'later' });
  const waiting = await bot.chat.scheduledMessages.list({ channel: channel.id });
  await bot.chat.deleteScheduledMessage({ channel: channel.id, scheduled_message_id: later.scheduled_message_id });
  await bot.chat.delete({ channel: channel.id, ts: reply.ts });
  const history = await bot.conversations.history({ channel: channel.id, limit: 5 });
  const opened = await bot.conversations.open({ users: ahmed });
  const members = await bot.conversations.members({ channel: channel.id });
  const mine = await bot.users.conversations({ types: 'public_channel,im' });
  const found = await bot.users.lookupByEmail({ email: 'mei@parity.example' });
  const user = await bot.users.info({ user: found.user.id });
  const info = await bot.conversations.info({ channel: channel.id, include_num_members: true });
  const own = (await person.conversations.create({ name: 'side' })).channel;
  const joined = await bot.conversations.join({ channel: own.id });
  await bot.conversations.archive({ channel: channel.id });
  const open = await bot.conversations.list({ exclude_archived: true });
  const searched = await person.search.messages({ query: 'nothing-like-it' });
  return {
    me: [me.user, me.team, me.response_metadata.scopes.includes('chat:write')], team: team.team.domain, topic: renamed.channel.topic.value,
    name: renamed.channel.name, text: posted.message.text, block: posted.message.blocks[0].text.text, thread: thread.messages.map((m) => m.text),
    replies: thread.messages[0].reply_count, reactions: reactions.message.reactions, link: link.permalink.includes(posted.ts.replace('.', '')),
    ephemeral: /^\d+\.\d{6}$/.test(ephemeral.message_ts), waiting: waiting.scheduled_messages.map((m) => m.text), post_at: later.post_at === at,
    history: history.messages.length, direct: opened.channel.id[0], members: members.members.length, mine: mine.channels.length,
    found: user.user.real_name, count: info.channel.num_members, joined: joined.channel.is_member, open: open.channels.map((c) => c.name),
    searched: searched.messages.total,
  };
}

// A file by the SDK's own helper, from its address to its share.
async function upload() {
  const sent = await bot.files.uploadV2({ channel_id: general, filename: 'notes.txt', content: 'one\ntwo\n', initial_comment: 'the notes', title: 'Notes' });
  const file = sent.files[0].files[0];
  await new Promise((done) => setTimeout(done, 1500)); // Slack shares a file a moment later
  const info = await bot.files.info({ file: file.id });
  const history = await bot.conversations.history({ channel: general });
  return { title: file.title, size: file.size, type: info.file.filetype, channels: info.file.channels, shared: history.messages[0].files[0].id === file.id, text: history.messages[0].text };
}

// The SDK's helper for pages.
async function page() {
  for (let i = 0; i < 11; i++) await bot.conversations.create({ name: `page-${i}` });
  const names = [];
  let pages = 0;
  for await (const one of bot.paginate('conversations.list', { limit: 4 })) {
    pages++;
    names.push(...one.channels.map((c) => c.name));
  }
  return { pages, seen: names.length, last: names.at(-1) };
}

// One of each kind of error.
async function fail() {
  return {
    absent: await failure(bot.chat.postMessage({ channel: 'C0NOSUCH001', text: 'x' })),
    missing: await failure(bot.conversations.history({})),
    blocks: await failure(bot.chat.postMessage({ channel: general, text: 'x', blocks: [{ type: 'nope' }] })),
    taken: await failure(bot.conversations.create({ name: 'general' })),
    bot: await failure(bot.search.messages({ query: 'x' })),
    method: await failure(bot.apiCall('chat.postMessages')),
    bad: await failure(new WebClient('wrong', options).auth.test()),
    none: await failure(new WebClient(undefined, options).auth.test()),
  };
}

// What the SDK does about trouble: it waits, or tries again.
async function trouble() {
  const limited = await failure(bot.users.list({}));
  const broken = await failure(bot.team.info());
  const refused = await failure(bot.emoji.list());
  const eager = await failure(new WebClient('xoxb-1-sdk', { ...options, rejectRateLimitedCalls: true }).pins.list({ channel: general }));
  return { limited, broken, refused, eager };
}

// A message whose reply is lost: the SDK posts it again.
async function lose() {
  const { class: caught } = await failure(bot.chat.postMessage({ channel: general, text: 'once, please' }));
  const history = await bot.conversations.history({ channel: general });
  return { class: caught, posted: history.messages.filter((m) => m.text === 'once, please').length };
}

const [task] = process.argv.slice(2);
const found = await { work, upload, page, fail, trouble, lose }[task]();
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit());
