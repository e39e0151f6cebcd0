import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { onTestFinished, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { createRuleActions, type RuleActions } from '#src/admin/actions/rule-actions.ts';
import { signatureHeaders } from '#src/admin/webhooks/sign.ts';
import { lateWebhooks } from '#src/admin/webhooks/late-webhooks.ts';
import { createWebhooks, type Webhooks, type WebhooksParts } from '#src/admin/webhooks/webhooks.ts';
import { webhookEvents } from '#src/admin/webhooks/webhook-events.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { WEBHOOK_EVENTS } from '#src/config/webhook-form.ts';
import type { WebhookSettings } from '#src/config/webhooks.ts';
import { workerLog } from '#src/config/worker-id.ts';
import { postWebhook } from '#src/http/post-webhook.ts';
import { createLog, silentLog } from '#src/log.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { settle } from '../../contract/delivery-steps.ts';
import { committing, creating, firing, keysOf } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rulesOf } from '../../support/rule-language.ts';
import { leaveUndecided } from '../../support/undecided.ts';

// The signatures have the time of the machine, which the verifier compares.
const START_MS = Date.now();
const SECRET = `whsec_${Buffer.from('a secret with 24 bytes..').toString('base64')}`;

interface Received {
  readonly id: string;
  readonly type: string;
  readonly data: object;
}

/** A receiver that verifies each event with another library. `answer`: the status of its answers. */
async function receiver() {
  const received: Received[] = [];
  const state = { status: 204, requests: 0, location: '' };
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    state.requests++;
    const verified = new Webhook(SECRET).verify(body, textHeaders(request.headers)) as Omit<Received, 'id'>; // the form of an event
    if (state.status < 300) received.push({ id: String(request.headers['webhook-id']), ...verified });
    response.writeHead(state.status, state.location === '' ? {} : { location: state.location }).end();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`;
  return { received, state, url, types: () => received.map(({ type }) => type) };
}

function textHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function open() {
  const clock = new ManualClock(START_MS);
  const store = await openStore({ clock });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { clock, store };
}

const SETTINGS: WebhookSettings = { name: 'ops', url: '', secret: SECRET, events: WEBHOOK_EVENTS, privateNetwork: true };

function sender(
  store: Store,
  clock: ManualClock,
  {
    accounts = [],
    post = postWebhook,
    ...webhook
  }: Partial<WebhookSettings> & { readonly accounts?: ReturnType<WebhooksParts['failedAccounts']>; readonly post?: WebhooksParts['post'] },
): Webhooks {
  const { deliveryLog, ruleStates, auditLog, repeatedRequests } = store;
  return createWebhooks({
    webhooks: [{ ...SETTINGS, ...webhook }],
    deliveryLog,
    ruleStates,
    auditLog,
    repeatedRequests,
    failedAccounts: () => accounts,
    post,
    clock,
    log: silentLog,
  });
}

const { signal } = new AbortController();

async function fail(store: Store, occasion: string, settledMs = START_MS): Promise<void> {
  const failed = firing([creating(['discord'])], { rule: 'live', occasion, episode: occasion, atMs: START_MS });
  await store.ruleStates.commit(committing([failed], { rule: 'live', slotMs: START_MS + Number(occasion) }));
  const error = { fault: 'missing', message: 'there is no channel nws' } as const;
  await settle(store, keysOf(failed)[0], { state: 'failed', error, settledAt: new Date(settledMs) });
}

const GAMES = rulesOf(`id: games
each: { game: [Go] }
when: { every: 1m }
then: [{ do: discord.send, with: { channel: live, content: hello } }]
`);
const ADA = { name: 'ada', via: 'cli', role: 'editor' } as const;

/** The actions on two instances of a rule. */
function actionsOn(store: Store, clock: ManualClock): Pick<RuleActions, 'pauseRule' | 'resumeRule'> {
  const never = () => Promise.reject(new Error('not part of these tests'));
  return createRuleActions({
    ...store,
    rules: () => GAMES,
    isOn: () => true,
    run: never,
    test: never,
    preview: never,
    replay: never,
    clock,
  });
}

test('failures, questions of operators and pauses arrive once, with signatures that another library accepts', async () => {
  const { clock, store } = await open();
  const hook = await receiver();
  await fail(store, '1');
  const unknown = await leaveUndecided(store, { content: 'Ada is live', slotMs: START_MS });
  const actions = actionsOn(store, clock);
  await actions.pauseRule({ rule: 'games' }, ADA);
  await actions.resumeRule({ rule: 'games' }, ADA);
  await store.ruleStates.commit(
    committing([], {
      rule: 'fused',
      slotMs: START_MS,
      change: { memory: { firings: 1, firedMs: {}, blownMs: START_MS }, put: [], drop: [] },
    }),
  );
  const webhooks = sender(store, clock, { url: hook.url });

  await webhooks.round(signal);
  await webhooks.round(signal);

  expect(hook.types().toSorted()).toEqual(['delivery.failed', 'delivery.unknown', 'rule.paused', 'rule.paused', 'rule.resumed']);
  expect(hook.received.find(({ type }) => type === 'delivery.failed')?.data).toMatchObject({
    rule: 'live',
    state: 'failed',
    message: 'there is no channel nws',
  });
  expect(hook.received.find(({ type }) => type === 'delivery.unknown')?.data).toMatchObject({ id: unknown, text: 'Ada is live' });
  const paused = hook.received.filter(({ type }) => type === 'rule.paused').map(({ data }) => data);
  expect(paused).toEqual(
    expect.arrayContaining([
      { rule: 'games', rules: ['games/Go'], by: { name: 'ada', via: 'cli' } },
      { rule: 'fused', rules: ['fused'] },
    ]),
  );
});

test('a planned pause is an event when it begins, and not when it is planned or cancelled', async () => {
  const { clock, store } = await open();
  const hook = await receiver();
  const actions = actionsOn(store, clock);
  const webhooks = sender(store, clock, { url: hook.url });
  const plan = async (fromMs: number) =>
    actions.pauseRule({ rule: 'games', from: new Date(fromMs), until: new Date(fromMs + 60_000) }, ADA);
  await plan(START_MS + 60_000);
  await actions.resumeRule({ rule: 'games', planned: true }, ADA);
  await plan(START_MS + 120_000);
  await webhooks.round(signal);
  expect(hook.types()).toEqual([]);

  clock.set(START_MS + 120_000);
  for (const isBegun of [false, true]) {
    if (isBegun) await store.ruleStates.beginPlanned();
    await webhooks.round(signal);
  }
  await actions.resumeRule({ rule: 'games' }, ADA);
  await webhooks.round(signal);

  expect(hook.received.map(({ type, data }) => [type, data])).toEqual([
    ['rule.paused', { rule: 'games/Go', rules: ['games/Go'], by: { name: 'ada (command line)' } }],
    ['rule.resumed', { rule: 'games', rules: ['games/Go'], by: { name: 'ada', via: 'cli' } }],
  ]);
});

test('failed edits of one card are one event, and a delivery that fails again is another', async () => {
  const { clock, store } = await open();
  await fail(store, '1');
  const [{ delivery } = {}] = await store.deliveryLog.latest({ states: ['failed'], limit: 1 });
  if (!delivery) throw new Error('nothing failed');
  const idsOf = async (...deliveries: readonly Delivery[]): Promise<number> => {
    const deliveryLog = { latest: () => Promise.resolve(deliveries.map((one) => ({ delivery: one, times: 1 }))) };
    const { events } = await webhookEvents({ ...store, deliveryLog, failedAccounts: () => [], clock }, { sinceMs: 0, limit: 200 });
    return new Set(events.map(({ id }) => id)).size;
  };
  const edit = { ...delivery, section: 'while', creates: false } as const;

  expect(await idsOf(edit, { ...edit, id: 'later', settledAt: new Date(START_MS + 60_000) })).toBe(1);
  expect(await idsOf(edit, { ...edit, episode: 'other' })).toBe(2);
  expect(await idsOf(delivery, { ...delivery, settledAt: new Date(START_MS + 60_000) })).toBe(2);
});

test('the code of the documentation accepts genuine events only', async () => {
  const [, source = ''] = /```js\n(.*?)```/su.exec(readFileSync('docs/operating/webhooks.md', 'utf8')) ?? [];
  const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    readonly isGenuine: (headers: object, body: string, secret: string) => boolean; // the function of the page
  };
  const headers = signatureHeaders({ id: 'msg_1', body: '{}', atMs: Date.now() }, SECRET);
  const old = signatureHeaders({ id: 'msg_1', body: '{}', atMs: Date.now() - 600_000 }, SECRET);

  expect(isGenuine(headers, '{}', SECRET)).toBe(true);
  expect(isGenuine({ ...headers, 'webhook-signature': `v1,x v1a,y ${headers['webhook-signature']}` }, '{}', SECRET)).toBe(true);
  expect([
    isGenuine(headers, '{ }', SECRET),
    isGenuine({ ...headers, 'webhook-id': 'msg_2' }, '{}', SECRET),
    isGenuine(old, '{}', SECRET),
    isGenuine({}, '{}', SECRET),
    isGenuine(headers, '{}', `whsec_${Buffer.alloc(24).toString('base64')}`),
  ]).toEqual([false, false, false, false, false]);
});

test('an event that is refused is sent again with the same id, even after a restart', async () => {
  const { clock, store } = await open();
  const hook = await receiver();
  await fail(store, '1');
  const ids = new Set<string>();
  hook.state.status = 500;
  const before = sender(store, clock, { url: hook.url });

  await before.round(signal);
  await before.round(signal);
  expect(hook.state.requests).toBe(1);
  await clock.advance(5000);
  await before.round(signal);
  expect(hook.state.requests).toBe(2);
  hook.state.status = 204;
  const after = sender(store, clock, { url: hook.url });
  await after.round(signal);
  await after.round(signal);
  await sender(store, clock, { url: hook.url }).round(signal);

  for (const { id } of hook.received) ids.add(id);
  expect({ requests: hook.state.requests, received: hook.received.length, ids: ids.size }).toEqual({ requests: 3, received: 1, ids: 1 });
});

test('events wait for a receiver that does not answer, even if 200 newer ones follow', async () => {
  const { clock, store } = await open();
  const failures = async (from: number): Promise<void> => {
    for (let count = from; count < from + 150; count++) await fail(store, String(count));
  };
  const ids = new Set<string>();
  let isUp = false;
  const webhooks = sender(store, clock, {
    post: async ({ headers }) => {
      if (!isUp) throw new Error('no answer');
      ids.add(headers['webhook-id'] ?? '');
      return 204;
    },
  });
  await failures(0);
  await webhooks.round(signal);
  await failures(150);
  await webhooks.round(signal);
  // A burst between two rounds.
  await failures(300);
  await failures(450);
  isUp = true;
  for (let count = 0; count < 35; count++) {
    await clock.advance(5_000);
    await webhooks.round(signal);
  }

  expect(ids.size).toBe(600);
  // Events that were sent before a restart do not delay a new one.
  await fail(store, '600');
  await sender(store, clock, { post: ({ headers }) => Promise.resolve((ids.add(headers['webhook-id'] ?? ''), 204)) }).round(signal);
  expect(ids.size).toBe(601);
});

test('many deliveries that failed more than 23 hours ago are read once only', async () => {
  const { clock, store } = await open();
  await fail(store, '1');
  const [{ delivery } = {}] = await store.deliveryLog.latest({ states: ['failed'], limit: 1 });
  if (!delivery) throw new Error('nothing failed');
  const old = new Date(START_MS - 30 * 3_600_000);
  const rows = [delivery, ...Array.from({ length: 3_000 }, (_, id) => ({ ...delivery, id: String(id), createdAt: old, settledAt: old }))];
  const limits: (number | undefined)[] = [];
  const latest: WebhooksParts['deliveryLog']['latest'] = ({ limit }) => {
    limits.push(limit);
    return Promise.resolve(rows.slice(0, limit).map((one) => ({ delivery: one, times: 1 })));
  };
  const hook = await receiver();
  const webhooks = sender({ ...store, deliveryLog: { ...store.deliveryLog, latest } }, clock, { url: hook.url });
  for (let count = 0; count < 3; count++) await webhooks.round(signal);

  expect(limits).toEqual([200, 2_000, 200, 200]);
  expect(hook.received.length).toBe(1);
});

test('of several processes, one sends an event, and every webhook gets its own', async () => {
  const { clock, store } = await open();
  const [one, other] = [await receiver(), await receiver()];
  for (const occasion of ['1', '2', '3']) await fail(store, occasion);
  const processes = Array.from({ length: 4 }, () => sender(store, clock, { url: one.url }));

  await Promise.all(processes.map((process) => process.round(signal)));
  await sender(store, clock, { name: 'other', url: other.url, events: ['rule.paused'] }).round(signal);
  await sender(store, clock, { name: 'third', url: other.url }).round(signal);

  expect([one.types(), other.types()]).toEqual([Array(3).fill('delivery.failed'), Array(3).fill('delivery.failed')]);
});

test('an account that needs a sign-in is an event once a day', async () => {
  const { clock, store } = await open();
  const hook = await receiver();
  const signedOut = { account: 'club', platform: 'x', problem: 'the token was revoked', fault: 'unauthorized' } as const;
  const accounts = [signedOut, { ...signedOut, account: 'down', fault: 'unavailable' } as const];
  const webhooks = sender(store, clock, { url: hook.url, accounts });

  await webhooks.round(signal);
  await sender(store, clock, { url: hook.url, accounts }).round(signal);

  const data = { account: 'club', platform: 'x', problem: 'the token was revoked' };
  expect(hook.received).toMatchObject([{ type: 'account.signedOut', data }]);
});

test('a receiver that does not answer gets one request a round, and a removed one gets no more', async () => {
  const { clock, store } = await open();
  const hook = await receiver();
  for (const occasion of ['1', '2', '3']) await fail(store, occasion);
  let posts = 0;
  const post = () => (posts++, Promise.reject(new Error('no answer')));
  await sender(store, clock, { post }).round(signal);
  expect(posts).toBe(1);

  hook.state.status = 410;
  const webhooks = sender(store, clock, { name: 'gone', url: hook.url });
  await webhooks.round(signal);
  await clock.advance(86_000_000);
  await webhooks.round(signal);
  expect(hook.state.requests).toBe(1);
});

test('a webhook reaches no private address without permission, and follows no redirect', async () => {
  const hook = await receiver();
  const event = { headers: {}, body: '{}' };
  for (const url of [hook.url, hook.url.replace('127.0.0.1', 'localhost'), 'http://[::1]:9/', 'http://169.254.169.254/'])
    await expect(postWebhook({ ...event, url, privateNetwork: false }, signal)).rejects.toThrow('not a public internet address');
  expect(hook.state.requests).toBe(0);

  const target = await receiver();
  const { clock, store } = await open();
  await fail(store, '1');
  Object.assign(hook.state, { status: 307, location: target.url });
  await sender(store, clock, { url: hook.url }).round(signal);
  expect([hook.state.requests, target.state.requests]).toEqual([1, 0]);
});

test('while the database does not answer, the rounds add no warnings to the one about the database', async () => {
  const { clock, store } = await open();
  const lines: string[] = [];
  const log = workerLog(createLog({ level: 'warn', secrets: [], color: false, write: (line) => lines.push(line) }), 'w', {});
  const stopping = new AbortController();
  let rounds = 0;
  const latest = async (): Promise<never> => {
    rounds++;
    throw Object.assign(new Error('the database does not answer'), { name: 'DatabaseUnavailable' });
  };

  const { ruleStates, auditLog, repeatedRequests } = store;
  const running = createWebhooks({
    webhooks: [],
    deliveryLog: { latest },
    ruleStates,
    auditLog,
    repeatedRequests,
    failedAccounts: () => [],
    post: postWebhook,
    clock,
    log,
  }).run(stopping.signal);
  await clock.advance(20_000);
  stopping.abort();
  await running;

  expect(rounds).toBeGreaterThan(2);
  expect(lines).toEqual([]);
});

test('a webhook is late while its receiver has not accepted an event for ten minutes, even for another process', async () => {
  const { clock, store } = await open();
  const late = () => lateWebhooks({ ...store, webhooks: [SETTINGS], clock });
  await fail(store, '1');
  await sender(store, clock, { post: async () => 503 }).round(signal);

  clock.set(START_MS + 9 * 60_000);
  const early = await late();
  clock.set(START_MS + 11 * 60_000);
  const found = await late();
  const unwanted = await lateWebhooks({ ...store, webhooks: [{ ...SETTINGS, events: ['rule.paused'] }], clock });
  await sender(store, clock, { post: async () => 204 }).round(signal);

  expect([early, found, unwanted]).toEqual([[], [{ webhook: 'ops', since: new Date(START_MS), isGone: false }], []]);
  expect(await late()).toEqual([]);
});

test.for([1, 2])('a webhook that refuses one event is late although it accepts the others, with %i processes', async (processes) => {
  const { clock, store } = await open();
  await fail(store, '1');
  const { events } = await webhookEvents({ ...store, failedAccounts: () => [], clock }, { sinceMs: 0, limit: 1 });
  const post: WebhooksParts['post'] = async ({ headers }) => (headers['webhook-id'] === events[0]?.id ? 422 : 204);
  const senders = Array.from({ length: processes }, () => sender(store, clock, { post }));
  const counts = new Set<number>();

  for (let minute = 11; minute < 60; minute += 3) {
    clock.set(START_MS + minute * 60_000);
    await fail(store, String(minute), clock.nowMs());
    await senders[minute % processes]?.round(signal);
    counts.add((await lateWebhooks({ ...store, webhooks: [SETTINGS], clock })).length);
  }

  expect(counts).toEqual(new Set([1]));
});

test('an old event that was not sent yet, for example before a start, makes no webhook late', async () => {
  const { clock, store } = await open();
  const late = () => lateWebhooks({ ...store, webhooks: [SETTINGS], clock });
  await fail(store, '1');
  await sender(store, clock, { post: async () => 503 }).round(signal);
  clock.set(START_MS + 60_000);
  await sender(store, clock, { post: async () => 204 }).round(signal);
  await fail(store, '2');
  // Fanfare did not run for an hour.
  clock.set(START_MS + 3_600_000);
  const restarted = sender(store, clock, { post: async () => 500 });
  const atStart = await late();
  await restarted.round(signal);

  expect(atStart).toEqual([]);
  expect(await late()).toMatchObject([{ webhook: 'ops', isGone: false }]);
});

test('a webhook that its receiver has deleted is gone for every process, until the next start', async () => {
  const { clock, store } = await open();
  const late = () => lateWebhooks({ ...store, webhooks: [SETTINGS], clock });
  await fail(store, '1');
  const first = sender(store, clock, { post: async () => 410 });
  await first.round(signal);
  const states: (boolean | undefined)[] = [];
  const note = async () => void states.push((await late())[0]?.isGone);
  clock.set(START_MS + 11 * 60_000);
  await note();
  // The note outlasts a day, while a later event is old. Each commit deletes expired rows.
  clock.set(START_MS + 20 * 3_600_000);
  await first.round(signal);
  await fail(store, '2', clock.nowMs());
  clock.set(START_MS + 30 * 3_600_000);
  await fail(store, '3', clock.nowMs());
  await first.round(signal);
  await note();
  const restarted = sender(store, clock, { post: async () => 503 });
  await restarted.round(signal);
  await note();

  expect(states).toEqual([true, true, false]);
});
