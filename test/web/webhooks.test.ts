import { connect } from 'node:net';
import { once } from 'node:events';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { createAccess } from '#src/admin/access/access.ts';
import { createWebhookReceiver } from '#src/admin/incoming-webhooks/receive-webhooks.ts';
import type { SenderSecret } from '#src/config/webhooks.ts';
import { createScheduler, type Scheduler } from '#src/engine/scheduler/scheduler.ts';
import { createLog, silentLog } from '#src/log.ts';
import { advance } from '#src/rules/evaluate/advance.ts';
import { openStore } from '#src/store/store.ts';
import { startWeb } from '#src/web/web.ts';
import { githubRequest, kofiRequest, type SentRequest } from '../admin/incoming-webhooks/senders.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { SLOT_MS } from '../support/firings.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';
import { rulesOf } from '../support/rule-language.ts';

const TOKEN = '8ab3e7b1-3b1d-4a6e-9a64-6f1f4d7ad9f1';
const SECRET = 'a secret with 32 characters, say';
const SECRETS = new Map<string, SenderSecret>([
  ['kofi', { kind: 'token', secret: TOKEN }],
  ['github', { kind: 'signature', secret: SECRET }],
]);

const SEND = 'then: [{ do: discord.send, with: { channel: live, content: hi } }]';
const RULES = [
  `id: tips\nwhen: { webhook: kofi, key: item.message_id, fields: { message_id: text, amount: number } }\n${SEND}\n`,
  `id: releases\nwhen: { webhook: github, maxSize: 1kB, fields: { release: { name: text } } }\n${SEND}\n`,
];

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

interface Fixture extends AsyncDisposable {
  readonly url: string;
  send(path: string, sent: SentRequest, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends the beginning of a request, and returns the status of the answer. The request never ends. */
  begin(text: string): Promise<string>;
  fired(): Promise<number>;
  logged(): string;
}

/** A server that other machines can reach, with a store and rules. */
async function open({
  sources = RULES,
  run,
}: { readonly sources?: readonly string[]; readonly run?: Scheduler['run'] } = {}): Promise<Fixture> {
  const clock = new ManualClock(SLOT_MS);
  const store = await openStore({ clock });
  const rules = sources.flatMap((source) => rulesOf(source));
  const scheduler = await createScheduler({
    rules,
    states: store.ruleStates,
    read: () => Promise.resolve(),
    advance,
    onCommit: () => undefined,
    clock,
    log: silentLog,
  });
  let lines = '';
  const log = createLog({ level: 'debug', secrets: [], write: (line) => (lines += line), color: false });
  const received = store.receivedWebhooks;
  const receiver = createWebhookReceiver({
    rules: () => rules,
    secrets: SECRETS,
    scheduler: { run: run ?? ((...call) => scheduler.run(...call)) },
    received,
    clock,
    log,
  });
  const web = await startWeb({
    host: '0.0.0.0',
    port: 0,
    apiQueries: new FakeApiQueries(),
    operations: noOperations,
    openAccess: async () => createAccess({ store: await store.openAccess(), auditLog: store.auditLog, clock }),
    openWebhookReceiver: () => Promise.resolve(rules.length > 0 ? receiver : undefined),
    clock,
    log,
  });
  return {
    url: web.url,

    async send(path, { headers, body }, more = {}) {
      const answer = await request(`${web.url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    },

    async begin(text) {
      const { hostname, port } = new URL(web.url);
      const socket = connect(Number(port), hostname);
      try {
        socket.write(text);
        const [answer]: unknown[] = await once(socket, 'data');
        return String(answer).split(' ')[1] ?? '';
      } finally {
        socket.destroy();
      }
    },

    fired: async () => (await store.deliveryLog.list({ limit: 500 })).items.length,
    logged: () => lines,

    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const release = (name: unknown): string => JSON.stringify({ release: { name } });

test('a webhook needs no session, whatever its host name, and fires once', async () => {
  await using fixture = await open();
  const { headers, body } = kofiRequest(TOKEN);

  const answers = [
    await fixture.send('/hooks/kofi', { headers, body }),
    await fixture.send('/hooks/kofi', { headers, body }, { host: 'hooks.example', origin: 'https://ko-fi.com' }),
    await fixture.send('/hooks/github', githubRequest(SECRET, release('v1'))),
  ];

  expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([202, '']));
  expect(await fixture.fired()).toBe(2);
  expect((await fixture.send('/api/rules', kofiRequest(TOKEN))).status).toBe(401);
  expect((await fixture.send('/api/rules', kofiRequest(TOKEN), { host: 'hooks.example' })).status).toBe(403);
});

test('a payload that does not fit is answered with a pointer to each wrong field', async () => {
  await using fixture = await open();

  const answer = await fixture.send('/hooks/github', githubRequest(SECRET, release({ private: true })));

  expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'application/problem+json' } });
  expect(JSON.parse(answer.text)).toMatchObject({ status: 400, code: 'invalidPayload', errors: [{ pointer: '/release/name' }] });
  expect((await fixture.send('/hooks/github', githubRequest(SECRET, 'no JSON'))).status).toBe(400);
  expect(await fixture.fired()).toBe(0);
});

test('a wrong secret is answered with 401, and an unknown webhook with 404, without a hint at the existing ones', async () => {
  await using fixture = await open();
  await using empty = await open({ sources: [] });

  const wrong = await fixture.send('/hooks/kofi', kofiRequest('another token'));
  const unknown = await fixture.send('/hooks/paypal', kofiRequest(TOKEN));
  const withoutRules = await empty.send('/hooks/kofi', kofiRequest(TOKEN));

  expect([wrong, unknown, withoutRules].map(({ status }) => status)).toEqual([401, 404, 404]);
  expect(`${wrong.text}${unknown.text}${withoutRules.text}`).not.toMatch(/kofi_|tips|releases|8ab3e7b1/u);
  expect(await fixture.fired()).toBe(0);
});

test('a body that is too large is refused before its end, with and without a stated length', async () => {
  await using fixture = await open();
  const head = 'POST /hooks/github HTTP/1.1\r\nHost: hooks.example\r\nContent-Type: application/json\r\n';

  const stated = await fixture.begin(`${head}Content-Length: 1025\r\n\r\n{"release":`);
  const chunk = 'x'.repeat(0x401);
  const streamed = await fixture.begin(`${head}Transfer-Encoding: chunked\r\n\r\n401\r\n${chunk}\r\n`);

  expect([stated, streamed]).toEqual(['413', '413']);
  expect((await fixture.send('/hooks/github', githubRequest(SECRET, release('v'.repeat(1_024))))).status).toBe(413);
  expect((await fixture.send('/hooks/github', githubRequest(SECRET, release('v'.repeat(1_000))))).status).toBe(202);
});

test('too many requests are answered with 429, and one that could not be stored with 503, both with the time of a repetition', async () => {
  await using fixture = await open({ run: () => Promise.resolve(undefined) });

  const first = await fixture.send('/hooks/kofi', kofiRequest(TOKEN));
  for (let sent = 1; sent < 120; sent++) await fixture.send('/hooks/kofi', kofiRequest(TOKEN));
  const last = await fixture.send('/hooks/kofi', kofiRequest(TOKEN));

  expect(first).toMatchObject({ status: 503, headers: { 'retry-after': '30' } });
  expect(last).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  expect(JSON.parse(last.text)).toMatchObject({ code: 'tooManyRequests' });
});

test('neither the log nor an answer contains a secret, a token of an address or a payload, even after a defect', async () => {
  await using fixture = await open({ run: () => Promise.reject(new Error('a defect')) });
  const path = `/hooks/kofi?token=${TOKEN}`;

  const answers = [
    await fixture.send(path, kofiRequest('no token')),
    await fixture.send(path, kofiRequest('no token', { amount: 'a private amount' })),
    await fixture.send('/hooks/kofi?token=a-wrong-token', kofiRequest('another wrong one')),
    await fixture.send('/hooks/github', githubRequest(SECRET, 'a private text')),
  ];

  expect(answers.map(({ status }) => status)).toEqual([500, 400, 401, 400]);
  expect(fixture.logged()).toContain('a defect');
  expect(`${fixture.logged()}${JSON.stringify(answers)}`).not.toMatch(/8ab3e7b1|a-wrong-token|wrong one|32 characters|private|sha256=/u);
});
