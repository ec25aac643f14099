// One agent's worth of calls through the official client, unmodified. What it
// found is printed as one JSON document, which the Go test judges.
import { Octokit } from '@octokit/rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';

const base = process.env.GITHUB_BASE ? { baseUrl: process.env.GITHUB_BASE } : {};
const log = { debug() {}, info() {}, warn() {}, error() {} };
const github = new Octokit({ auth: 'ghp_sdk', log, ...base });

async function failure(work) {
  try {
    await work();
    return { class: 'none' };
  } catch (e) {
    return { class: e.constructor.name, status: e.status, message: e.response?.data?.message ?? e.message, errors: e.response?.data?.errors?.length ?? 0 };
  }
}

const b64 = (text) => Buffer.from(text).toString('base64');
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Every operation of the list that has to do with repositories and git.
async function git() {
  const me = (await github.users.getAuthenticated()).data;
  const at = { owner: me.login, repo: 'web' };
  const repo = (await github.repos.createForAuthenticatedUser({ name: 'web', auto_init: true })).data;
  const file = (await github.repos.createOrUpdateFileContents({ ...at, path: 'docs/a b.md', message: 'Begin', content: b64('one\n') })).data;
  const read = (await github.repos.getContent({ ...at, path: 'docs/a b.md' })).data;
  const raw = (await github.repos.getContent({ ...at, path: 'docs/a b.md', mediaType: { format: 'raw' } })).data;
  const main = (await github.git.getRef({ ...at, ref: 'heads/main' })).data;
  await github.git.createRef({ ...at, ref: 'refs/heads/side', sha: main.object.sha });
  const blob = (await github.git.createBlob({ ...at, content: 'blob\n' })).data;
  const head = (await github.repos.getCommit({ ...at, ref: 'main' })).data;
  const tree = (await github.git.createTree({ ...at, base_tree: head.commit.tree.sha, tree: [{ path: 'b.txt', mode: '100644', type: 'blob', sha: blob.sha }] })).data;
  const commit = (await github.git.createCommit({ ...at, message: 'By hand', tree: tree.sha, parents: [main.object.sha] })).data;
  await github.git.updateRef({ ...at, ref: 'heads/side', sha: commit.sha });
  const whole = (await github.git.getTree({ ...at, tree_sha: 'side', recursive: 'true' })).data;
  const compared = (await github.repos.compareCommitsWithBasehead({ ...at, basehead: 'main...side' })).data;
  const commits = (await github.repos.listCommits({ ...at, sha: 'side' })).data;
  const branches = (await github.repos.listBranches(at)).data;
  const branch = (await github.repos.getBranch({ ...at, branch: 'side' })).data;
  const removed = (await github.repos.deleteFile({ ...at, path: 'docs/a b.md', message: 'End', sha: file.content.sha })).data;
  await github.git.deleteRef({ ...at, ref: 'heads/side' });
  await github.orgs.get({ org: 'absent' }).catch(() => {});
  const fork = await github.repos.createFork({ ...at, organization: 'elsewhere' });
  const first = (await github.repos.getContributorsStats(at)).status;
  await sleep(3100);
  const then = await github.repos.getContributorsStats(at);
  return {
    login: me.login, made: [repo.full_name, repo.default_branch, repo.permissions.admin], listed: (await github.repos.listForAuthenticatedUser()).data.map((r) => r.full_name).includes(repo.full_name),
    got: (await github.repos.get(at)).data.id === repo.id, read: Buffer.from(read.content, 'base64').toString(), raw, tree: whole.tree.map((e) => e.path),
    compared: [compared.status, compared.ahead_by, compared.files.map((f) => f.filename)], commits: commits.map((c) => c.commit.message),
    branches: branches.map((b) => b.name), branch: branch.commit.sha === commit.sha, removed: removed.content, fork: [fork.status, fork.data.full_name],
    stats: [first, then.status, then.data[0].total],
  };
}

// Every operation of the list that has to do with issues, pull requests,
// checks and search.
async function work() {
  const me = (await github.users.getAuthenticated()).data.login;
  const at = { owner: me, repo: 'shop' };
  await github.repos.createForAuthenticatedUser({ name: 'shop', auto_init: true });
  const issue = (await github.issues.create({ ...at, title: 'Broken sesame', labels: ['bug'] })).data;
  const one = { ...at, issue_number: issue.number };
  await github.issues.update({ ...one, body: 'It is.' });
  await github.issues.createComment({ ...one, body: 'Really?' });
  const comments = (await github.issues.listComments(one)).data;
  await github.issues.addLabels({ ...one, labels: ['P1'] });
  const left = (await github.issues.removeLabel({ ...one, name: 'bug' })).data;
  const got = (await github.issues.get(one)).data;
  const main = (await github.git.getRef({ ...at, ref: 'heads/main' })).data.object.sha;
  await github.git.createRef({ ...at, ref: 'refs/heads/fix', sha: main });
  await github.repos.createOrUpdateFileContents({ ...at, path: 'fix.txt', branch: 'fix', message: 'Fix', content: b64('fixed\n') });
  const pull = (await github.pulls.create({ ...at, title: 'Fix', head: 'fix', base: 'main', body: `Fixes #${issue.number}` })).data;
  const two = { ...at, pull_number: pull.number };
  await github.pulls.update({ ...two, title: 'Fix it' });
  const files = (await github.pulls.listFiles(two)).data;
  const review = (await github.pulls.createReview({ ...two, event: 'COMMENT', body: 'Mine' })).data;
  const reviews = (await github.pulls.listReviews(two)).data;
  const asked = await failure(() => github.pulls.requestReviewers({ ...two, reviewers: [me] }));
  await github.repos.createOrUpdateFileContents({ ...at, path: 'main.txt', message: 'Go on', content: b64('main\n') });
  const updated = (await github.pulls.updateBranch(two)).status;
  const sha = (await github.pulls.get(two)).data.head.sha;
  await github.repos.createCommitStatus({ ...at, sha, state: 'success', context: 'ci' });
  const status = (await github.repos.getCombinedStatusForRef({ ...at, ref: 'fix' })).data.state;
  const checks = (await github.checks.listForRef({ ...at, ref: 'fix' })).data.total_count;
  let open = (await github.pulls.get(two)).data;
  const before = open.mergeable;
  for (let i = 0; i < 10 && open.mergeable === null; i++) {
    await sleep(500);
    open = (await github.pulls.get(two)).data;
  }
  const diff = (await github.pulls.get({ ...two, mediaType: { format: 'diff' } })).data;
  const merged = (await github.pulls.merge({ ...two, sha })).data.merged;
  await sleep(10100); // until the index has it
  const found = (await github.search.issuesAndPullRequests({ q: `sesame repo:${me}/shop` })).data;
  return {
    issue: [issue.number, got.labels.map((l) => l.name), comments.map((c) => c.body), left.length],
    listed: (await github.issues.listForRepo({ ...at, state: 'all' })).data.map((i) => [i.number, Boolean(i.pull_request)]),
    pull: [pull.number, pull.mergeable, (await github.pulls.list({ ...at, state: 'closed' })).data.map((p) => p.title)], files: files.map((f) => f.filename),
    review: review.state, reviews: reviews.length, asked: asked.status, updated, status, checks, before, open: [open.mergeable, open.mergeable_state],
    diff: diff.startsWith('diff --git a/fix.txt b/fix.txt'), merged, closed: (await github.issues.get(one)).data.state,
    found: [found.total_count, found.items[0]?.state], code: (await github.search.code({ q: `fixed repo:${me}/shop` })).data.total_count,
    repos: (await github.search.repos({ q: 'shop' })).data.total_count, limit: (await github.rateLimit.get()).data.resources.core.limit,
  };
}

// A list of 21, over all its pages by the Link header.
async function page() {
  const at = { owner: 'octocat', repo: 'pages' };
  await github.repos.createForAuthenticatedUser({ name: 'pages' });
  for (let i = 0; i < 21; i++) await github.issues.create({ ...at, title: `Issue ${i}` });
  const by = async (per_page) => {
    const seen = (await github.paginate(github.issues.listForRepo, { ...at, per_page })).map((i) => i.number);
    return { seen: seen.length, newest_first: seen.join() === [...seen].sort((a, b) => b - a).join() };
  };
  return { by_10: await by(10), by_7: await by(7) };
}

// One of each kind of error.
async function fail() {
  const at = { owner: 'octocat', repo: 'errors' };
  await github.repos.createForAuthenticatedUser({ name: 'errors' });
  const empty = await failure(() => github.repos.listCommits(at));
  const file = (await github.repos.createOrUpdateFileContents({ ...at, path: 'a.txt', message: 'a', content: b64('a') })).data;
  await github.repos.createOrUpdateFileContents({ ...at, path: 'a.txt', message: 'b', content: b64('b'), sha: file.content.sha });
  const graph = await failure(() => github.graphql('{ viewer { login } }'));
  return {
    empty, graph: graph.class,
    stale: await failure(() => github.repos.createOrUpdateFileContents({ ...at, path: 'a.txt', message: 'c', content: b64('c'), sha: file.content.sha })),
    shaless: await failure(() => github.repos.createOrUpdateFileContents({ ...at, path: 'a.txt', message: 'c', content: b64('c') })),
    untitled: await failure(() => github.issues.create({ ...at, title: '' })),
    absent: await failure(() => github.issues.get({ ...at, issue_number: 99 })),
    twice: await failure(() => github.repos.createForAuthenticatedUser({ name: 'errors' })),
    unknown: await failure(() => new Octokit({ auth: 'nonsense', log, ...base }).users.getAuthenticated()),
    nobody: await failure(() => new Octokit({ log, ...base }).users.getAuthenticated()),
    public: (await new Octokit({ log, ...base }).repos.get({ owner: 'octocat', repo: 'hello-world' })).status,
  };
}

// A write whose reply is lost, with and without plugin-retry.
async function lose() {
  const at = { owner: 'octocat', repo: 'lost' };
  await github.repos.createForAuthenticatedUser({ name: 'lost' });
  const again = new (Octokit.plugin(retry))({ auth: 'ghp_sdk', log, ...base, retry: { retryAfterBaseValue: 100 } });
  const plain = await failure(() => github.issues.create({ ...at, title: 'plain' }));
  const retried = await failure(() => again.issues.create({ ...at, title: 'retried' }));
  const all = await github.paginate(github.issues.listForRepo, at);
  const made = (title) => all.filter((i) => i.title === title).length;
  return { plain: [plain.status ?? plain.class, made('plain')], retried: [retried.status ?? retried.class, made('retried')] };
}

// Limits, by both plugins: they tell the two kinds apart.
async function limit() {
  const seen = [];
  const Patient = Octokit.plugin(retry, throttling);
  const patient = new Patient({ auth: 'ghp_sdk', log, ...base, throttle: {
    fallbackSecondaryRateRetryAfter: 1,
    onRateLimit: (after) => { seen.push(['primary', after]); return false; },
    onSecondaryRateLimit: (after, options, octokit, count) => { seen.push(['secondary', after]); return count < 1; },
  } });
  const plain = await failure(() => github.users.getAuthenticated());
  const login = (await patient.users.getAuthenticated()).data.login;
  return { plain: [plain.status, plain.message.includes('secondary rate')], login, seen };
}

// A workflow that is dispatched, followed until it is through, and read; each call
// takes 20 s of the run's clock.
async function actions() {
  const at = { owner: 'octocat', repo: 'web' };
  await github.repos.createForAuthenticatedUser({ name: 'web', auto_init: true });
  const workflow = 'name: CI\non: workflow_dispatch\njobs: {test: {runs-on: ubuntu-latest, steps: [{run: npm test}]}}\n';
  await github.repos.createOrUpdateFileContents({ ...at, path: '.github/workflows/ci.yml', message: 'Check', content: b64(workflow) });
  await github.actions.createWorkflowDispatch({ ...at, workflow_id: 'ci.yml', ref: 'main' });
  const seen = [];
  let run;
  do {
    [run] = (await github.actions.listWorkflowRuns({ ...at, workflow_id: 'ci.yml' })).data.workflow_runs;
    seen.push(run.status);
  } while (run.status !== 'completed' && seen.length < 10);
  const jobs = await github.paginate(github.actions.listJobsForWorkflowRun, { ...at, run_id: run.id });
  const log = (await github.actions.downloadJobLogsForWorkflowRun({ ...at, job_id: jobs[0].id })).data;
  const zip = (await github.actions.downloadWorkflowRunLogs({ ...at, run_id: run.id })).data;
  const gist = (await github.gists.create({ files: { 'a.md': { content: '# A' } } })).data;
  return {
    seen: [...new Set(seen)].at(-1), conclusion: run.conclusion, jobs: jobs.map((j) => [j.name, j.steps.length]), log: log.includes('Run npm test'), zip: zip.byteLength > 100,
    gist: gist.files['a.md'].content, markdown: (await github.markdown.render({ text: '*a*' })).data,
  };
}

// What the client does of itself about trouble: nothing.
async function trouble() {
  const at = { owner: 'octocat', repo: 'hello-world' };
  return { server: await failure(() => github.repos.get(at)), conflict: await failure(() => github.repos.listBranches(at)) };
}

console.log(JSON.stringify(await { git, work, page, fail, lose, limit, actions, trouble }[process.argv[2]]()));
