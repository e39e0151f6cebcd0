import { describe, expect, test } from 'vitest';
import { createWebhookReceiver, type ArrivedWebhook, type WebhookReceiver } from '#src/admin/incoming-webhooks/receive-webhooks.ts';
import type { SenderSecret } from '#src/config/webhooks.ts';
import { createScheduler, type Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { ConfigError } from '#src/errors.ts';
import { silentLog, type Log } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { SLOT_MS } from '../../support/firings.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rulesOf } from '../../support/rule-language.ts';
import { githubRequest, kofiRequest, standardRequest, type SentRequest } from './senders.ts';

const TOKEN = '8ab3e7b1-3b1d-4a6e-9a64-6f1f4d7ad9f1';
const SECRET = 'a secret with 32 characters, say';
const WHSEC = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const SECRETS = new Map<string, SenderSecret>([
  ['kofi', { kind: 'token', secret: TOKEN }],
  ['github', { kind: 'signature', secret: SECRET }],
  ['shop', { kind: 'signature', secret: WHSEC }],
]);

const SEND = 'then: [{ do: discord.send, with: { channel: live, content: "total ${{ keep.total }}" } }]';
const KOFI = `id: tips
when: { webhook: kofi, key: item.message_id, fields: { message_id: text, amount: number, is_public: boolean, from_name: text } }
if: item.is_public
keep: { total: keep.total + item.amount }
${SEND}
`;
const COUNT = `id: count\nwhen: { webhook: kofi, fields: { amount: number } }\nkeep: { total: keep.total + 1 }\n${SEND}\n`;
const GITHUB = `id: releases\nwhen: { webhook: github, fields: { action: text, release: { name: text } }, maxSize: 1kB }\nkeep: { total: keep.total + 1 }\n${SEND}\n`;
const SHOP = `id: orders\nwhen: { webhook: shop, fields: { order: integer } }\nkeep: { total: keep.total + 1 }\n${SEND}\n`;

interface Fixture extends AsyncDisposable {
  readonly receiver: WebhookReceiver;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly log: readonly (readonly [object, string])[];
  /** Sends a request, and returns its status. */
  send(name: string, request: SentRequest): Promise<number>;
  /** What the firings of the rules announced, in order. */
  fired(): Promise<readonly (readonly [string, unknown])[]>;
}

async function open(
  sources: readonly string[],
  { run = (real) => real }: { readonly run?: (real: Scheduler['run']) => Scheduler['run'] } = {},
): Promise<Fixture> {
  const clock = new ManualClock(SLOT_MS);
  const store = await openStore({ clock });
  const rules: readonly Rule[] = sources.flatMap((source) => rulesOf(source));
  const fired: (readonly [string, unknown])[] = [];
  const scheduler = await createScheduler({
    rules,
    states: store.ruleStates,
    read: () => Promise.resolve(),
    advance,
    onCommit: ({ firings }) => fired.push(...firings.map(({ rule, scope }) => [rule, scope.keep?.['total']] as const)),
    clock,
    log: silentLog,
  });
  const lines: (readonly [object, string])[] = [];
  const log: Log = { ...silentLog, warn: (fields, message) => void lines.push([fields, message]) };
  const receiver = createWebhookReceiver({
    rules: () => rules,
    secrets: SECRETS,
    scheduler: { run: run((...call) => scheduler.run(...call)) },
    received: store.receivedWebhooks,
    clock,
    log,
  });
  return {
    receiver,
    store,
    clock,
    log: lines,
    send: async (name, request) => (await receiver.receive(arrived(name, request))).status,
    fired: () => Promise.resolve(fired),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function arrived(name: string, { headers, body }: SentRequest): ArrivedWebhook {
  return { name, header: (one) => headers[one], body };
}

const release = (action = 'published'): string => JSON.stringify({ action, release: { name: 'v1' } });

describe('a right request', () => {
  test('runs its rule with the payload, and is answered after the commit', async () => {
    await using fixture = await open([KOFI]);

    expect(await fixture.send('kofi', kofiRequest(TOKEN))).toBe(202);

    expect(await fixture.fired()).toEqual([['tips', 3]]);
    const { items } = await fixture.store.decisions.list({ rule: 'tips' });
    expect(items).toMatchObject([
      { outcome: 'fired', message: 'the webhook kofi was received', item: '3a1fac0c-f960-4506-a60e-824979a74e74' },
    ]);
    expect((await fixture.store.deliveryLog.list()).items).toMatchObject([{ item: { name: 'kofi' } }]);
  });

  test('stores the fields of the rule and nothing else, no token and no address', async () => {
    await using fixture = await open([KOFI]);
    await fixture.send('kofi', kofiRequest(TOKEN));

    const [stored] = await fixture.store.receivedWebhooks.list('tips', 0);
    expect(stored).toEqual({
      webhook: 'kofi',
      key: '3a1fac0c-f960-4506-a60e-824979a74e74',
      slotMs: expect.any(Number),
      item: { message_id: '3a1fac0c-f960-4506-a60e-824979a74e74', amount: 3, is_public: true, from_name: 'Ko-fi Team' },
    });
  });

  test('runs all rules with its webhook, each once', async () => {
    await using fixture = await open([KOFI, COUNT]);

    const request = kofiRequest(TOKEN);
    expect([await fixture.send('kofi', request), await fixture.send('kofi', request)]).toEqual([202, 202]);

    expect(await fixture.fired()).toEqual([
      ['tips', 3],
      ['count', 1],
    ]);
  });

  test('is suppressed by the rule, with the reason, and also counts as received', async () => {
    await using fixture = await open([KOFI]);
    const hidden = kofiRequest(TOKEN, { is_public: false });

    expect([await fixture.send('kofi', hidden), await fixture.send('kofi', hidden)]).toEqual([202, 202]);

    const { items } = await fixture.store.decisions.list({ rule: 'tips' });
    expect(items.map(({ outcome, reason }) => [outcome, reason?.kind])).toEqual([['suppressed', 'webhookReceived']]);
    expect(await fixture.fired()).toEqual([]);
  });

  test('of a paused rule is accepted and suppressed', async () => {
    await using fixture = await open([KOFI]);
    await fixture.store.ruleStates.changePauses(['tips'], { pause: { by: 'grace' } });

    expect(await fixture.send('kofi', kofiRequest(TOKEN))).toBe(202);

    const { items } = await fixture.store.decisions.list({ rule: 'tips' });
    expect(items).toMatchObject([{ outcome: 'suppressed', reason: { block: { by: { kind: 'paused', by: 'grace' } } } }]);
  });
});

describe('a repeated request', () => {
  test('is accepted and does nothing, by the key of the rule', async () => {
    await using fixture = await open([KOFI]);

    // A repetition may have another time or order of fields.
    const statuses = [
      await fixture.send('kofi', kofiRequest(TOKEN)),
      await fixture.send('kofi', kofiRequest(TOKEN, { timestamp: '2022-08-21T13:09:30Z' })),
      await fixture.send('kofi', kofiRequest(TOKEN, { message_id: 'other' })),
    ];

    expect(statuses).toEqual([202, 202, 202]);
    expect(await fixture.fired()).toEqual([
      ['tips', 3],
      ['tips', 6],
    ]);
  });

  test('is known by its body, whatever its unsigned headers say', async () => {
    await using fixture = await open([GITHUB]);
    const request = githubRequest(SECRET, release());

    await fixture.send('github', request);
    await fixture.send('github', { ...request, headers: { ...request.headers, 'x-github-delivery': 'another' } });
    await fixture.send('github', githubRequest(SECRET, release('edited')));

    expect(await fixture.fired()).toEqual([
      ['releases', 1],
      ['releases', 2],
    ]);
  });

  test('is known by its signed id, and refused when it is old', async () => {
    await using fixture = await open([SHOP]);
    const sent = (id: string): SentRequest => standardRequest(WHSEC, '{"order":7}', { id, atMs: SLOT_MS });

    const statuses = [
      await fixture.send('shop', sent('msg_1')),
      await fixture.send('shop', sent('msg_1')),
      await fixture.send('shop', sent('msg_2')),
    ];
    await fixture.clock.advance(300_001);
    statuses.push(await fixture.send('shop', sent('msg_3')));

    expect(statuses).toEqual([202, 202, 202, 401]);
    expect(await fixture.fired()).toEqual([
      ['orders', 1],
      ['orders', 2],
    ]);
  });

  test('that arrives at the same time fires once; others are committed one after the other', async () => {
    await using fixture = await open([KOFI]);
    const requests = Array.from({ length: 30 }, (_, k) => kofiRequest(TOKEN, { message_id: String(k % 10), amount: '1.10' }));

    const statuses = await Promise.all(requests.map((request) => fixture.send('kofi', request)));

    expect(new Set(statuses)).toEqual(new Set([202]));
    const totals = (await fixture.fired()).map(([, total]) => total);
    expect(totals).toEqual([1.1, 2.2, 3.3, 4.4, 5.5, 6.6, 7.7, 8.8, 9.9, 11]);
  });
});

describe('a wrong request', () => {
  test('without the secret is refused without a detail, and logged once in ten minutes', async () => {
    await using fixture = await open([KOFI]);
    const wrong = kofiRequest('another token of the same length');

    for (let k = 0; k < 5; k++) expect(await fixture.send('kofi', wrong)).toBe(401);
    await fixture.clock.advance(600_000);
    await fixture.send('kofi', wrong);

    expect(fixture.log.map(([fields]) => fields)).toEqual([
      { webhook: 'kofi', requests: 1 },
      { webhook: 'kofi', requests: 5 },
    ]);
    expect(JSON.stringify(fixture.log)).not.toContain('another token');
    expect(await fixture.fired()).toEqual([]);
  });

  test('to an unknown webhook, or to one without a secret, is not found', async () => {
    await using fixture = await open([KOFI, COUNT.replaceAll('kofi', 'unset')]);

    expect(await fixture.send('github', githubRequest(SECRET, release()))).toBe(404);
    expect(await fixture.send('unset', kofiRequest(TOKEN))).toBe(404);
    expect(await fixture.send('nothing', kofiRequest(TOKEN))).toBe(404);
    expect(fixture.log).toMatchObject([[{ webhook: 'unset' }, expect.stringContaining('its secret is not set')]]);
  });

  test('names the wrong fields and none of their values', async () => {
    await using fixture = await open([KOFI]);

    const answer = await fixture.receiver.receive(arrived('kofi', kofiRequest(TOKEN, { amount: 'lots', message_id: null })));

    expect(answer).toEqual({
      status: 400,
      code: 'invalidPayload',
      detail: 'The payload does not fit the rule: /message_id: the field is missing.',
      errors: [
        { pointer: '/message_id', detail: 'the field is missing' },
        { pointer: '/amount', detail: 'the value is not a number' },
      ],
    });
    expect(JSON.stringify([answer, fixture.log])).not.toMatch(/lots|8ab3e7b1/u);
    expect(fixture.log).toHaveLength(1);
  });

  test('is refused only if it fits none of the rules of its webhook', async () => {
    await using fixture = await open([KOFI, COUNT]);

    expect(await fixture.send('kofi', kofiRequest(TOKEN, { from_name: null }))).toBe(202);
    expect(await fixture.fired()).toEqual([['count', 1]]);
  });

  test.for(['', '[]', '"text"', 'null', '{"a":', '\0'])('with the body %j is no payload', async (text) => {
    await using fixture = await open([GITHUB]);
    expect(await fixture.send('github', githubRequest(SECRET, text))).toBe(400);
  });

  test('that is larger than its rule allows is refused', async () => {
    await using fixture = await open([GITHUB]);
    const large = JSON.stringify({ action: 'published', release: { name: 'v'.repeat(1_024) } });

    expect(fixture.receiver.maxBytes('github')).toBe(1_024);
    expect(fixture.receiver.maxBytes('unknown')).toBe(65_536);
    expect(await fixture.send('github', githubRequest(SECRET, large))).toBe(400);
  });

  test('is the 121st in a minute', async () => {
    await using fixture = await open([SHOP]);
    const send = (k: number) =>
      fixture.receiver.receive(arrived('shop', standardRequest(WHSEC, '{"order":7}', { id: `msg_${k % 2}`, atMs: SLOT_MS })));

    for (let k = 0; k < 120; k++) expect((await send(k)).status).toBe(202);
    expect(await send(120)).toMatchObject({ status: 429, retryAfterSeconds: 60 });
    await fixture.clock.advance(60_000);
    expect((await send(0)).status).toBe(202);
  });
});

describe('a request that cannot be stored', () => {
  test('is to be sent again', async () => {
    await using fixture = await open([KOFI], { run: () => () => Promise.resolve(undefined) });
    expect(await fixture.receiver.receive(arrived('kofi', kofiRequest(TOKEN)))).toMatchObject({ status: 503, retryAfterSeconds: 30 });
  });

  test('is to be sent again if the state cannot be used, or not in time', async () => {
    await using lost = await open([KOFI], { run: () => () => Promise.reject(new ConfigError('The disk is full.', { file: 'state.db' })) });
    expect(await lost.send('kofi', kofiRequest(TOKEN))).toBe(503);

    await using slow = await open([KOFI, COUNT], { run: () => () => new Promise(() => undefined) });
    const answer = slow.send('kofi', kofiRequest(TOKEN));
    await slow.clock.advance(20_000);
    expect(await answer).toBe(503);
  });

  test.for([
    ['tips', 'count'],
    ['count', 'tips'],
  ] as const)('runs again only for the rule %s that has not stored it, and at once for %s', async ([broken, other]) => {
    const totals = new Map([
      ['tips', 3],
      ['count', 1],
    ]);
    const failing = new Set<string>([broken]);
    const run =
      (real: Scheduler['run']): Scheduler['run'] =>
      (rule, options) =>
        failing.has(rule) ? Promise.resolve(undefined) : real(rule, options);
    await using fixture = await open([KOFI, COUNT], { run });

    expect(await fixture.send('kofi', kofiRequest(TOKEN))).toBe(503);
    expect(await fixture.fired()).toEqual([[other, totals.get(other)]]);
    failing.clear();
    expect(await fixture.send('kofi', kofiRequest(TOKEN))).toBe(202);
    expect(await fixture.send('kofi', kofiRequest(TOKEN))).toBe(202);

    expect((await fixture.fired()).map(([rule]) => rule)).toEqual([other, broken]);
  });
});
