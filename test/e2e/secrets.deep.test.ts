import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { openStore } from '#src/store/store.ts';
import { KEY_TEXT, sealedIn } from '../exactly-once/sealed.ts';
import { ON_CALL, eventually, getJson, getText, launch, runRules, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGES = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/rules',
  '/api/decisions',
  '/api/deliveries',
  '/api/live',
  '/api/posts',
  '/api/messages',
  '/nowhere',
];

/** The variables with secrets. */
const SECRETS = ['TWITCH_CLIENT_SECRET', 'KICK_CLIENT_SECRET', 'DISCORD_TOKEN', 'ASSISTANT_API_KEY', 'SANDBOX_TOKEN'] as const;

async function seenBy(
  environment: Readonly<Record<string, string>>,
  until: (url: string, output: string) => Promise<boolean>,
): Promise<string> {
  using directory = temporaryFolder({ inMemory: true });
  await using fanfare = await launch({ environment: { ...environment, FANFARE_DATA: directory.path, LOG_LEVEL: 'debug' } });
  await eventually('what the test waits for', () => until(fanfare.url, fanfare.output()));
  const pages = await Promise.all(PAGES.map(async (path) => (await getText(`${fanfare.url}${path}`)).text));
  await fanfare[Symbol.asyncDispose]();
  return [fanfare.output(), ...pages].join('\n');
}

test('no log line, error or page contains a secret in normal operation', async () => {
  await using sandbox = await startSandbox({});
  const sent = async (url: string): Promise<boolean> =>
    JSON.stringify(await getJson(`${url}/api/deliveries?state=sent`)).includes('social.createPost');

  const seen = await seenBy(sandbox.environment, sent);

  expect(seen).toContain('valorant-top');
  for (const name of SECRETS) expect(seen, name).not.toContain(sandbox.environment[name]);
});

test('no log line, error or page contains a secret while all requests are refused', async () => {
  await using sandbox = await startSandbox({});
  const planted = Object.fromEntries(SECRETS.map((name) => [name, `planted-${name.toLowerCase()}-0123456789`]));
  const refused = async (url: string): Promise<boolean> =>
    /unauthorized|rejected|forbidden/.test(JSON.stringify(await getJson(`${url}/api/decisions`)));

  const seen = await seenBy({ ...sandbox.environment, ...planted }, refused);

  expect(seen).not.toContain('planted-');
});

/** A server that repeats each request in its answers, refuses the first token and issues new tokens. */
async function echoing(): Promise<{ readonly url: string; readonly exchanges: () => number } & Disposable> {
  let exchanges = 0;
  const server = createServer((asked, answer) => {
    void text(asked).then((body) => {
      const received = `${asked.headers.authorization ?? ''} ${body}`;
      if (/refreshSession|oauth2\/token/u.test(asked.url ?? '')) {
        exchanges++;
        const [access, refresh] = ['planted-access-2', 'planted-refresh-2'];
        const session = { did: 'did:plc:ada', handle: 'ada.test', accessJwt: `${access}-bluesky`, refreshJwt: `${refresh}-bluesky` };
        answer.writeHead(200, { 'content-type': 'application/json' });
        return answer.end(JSON.stringify({ ...session, access_token: `${access}-x`, refresh_token: `${refresh}-x`, expires_in: 7200 }));
      }
      const header = received.replaceAll(/[^ -~]/gu, '').slice(0, 500);
      const echo = {
        error: received,
        message: received,
        detail: received,
        title: received,
        errors: [{ message: received, detail: received }],
      };
      const status = received.includes('-1-') ? 401 : 400;
      answer.writeHead(status, received, { 'content-type': 'application/json', 'www-authenticate': header, 'x-request-id': header });
      return answer.end(JSON.stringify(echo));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  return {
    url: `http://127.0.0.1:${address.port}`,
    exchanges: () => exchanges,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('no log line, error or page contains a stored or renewed token while servers echo requests', async () => {
  using server = await echoing();
  using directory = temporaryFolder({ inMemory: true });
  const [data, rules] = [join(directory.path, 'data'), join(directory.path, 'rules')];
  mkdirSync(rules);
  {
    await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
    const expiresAt = new Date(Date.now() + 7_200_000).toISOString();
    await sealedIn(store.sealedRows, 'x').save({ accessToken: 'planted-access-1-x', refreshToken: 'planted-refresh-1-x', expiresAt });
    const jwts = { accessJwt: 'planted-access-1-bluesky', refreshJwt: 'planted-refresh-1-bluesky' };
    await sealedIn(store.sealedRows, 'bluesky').save({ did: 'did:plc:ada', handle: 'ada.test', pds: server.url, ...jwts });
    await sealedIn(store.sealedRows, 'mastodon').save({ accessToken: 'planted-access-1-mastodon', scopes: ['read', 'write'] });
  }
  const environment = {
    X_API_URL: server.url,
    X_CLIENT_ID: 'client',
    X_CLIENT_SECRET: 'planted-client-secret',
    BLUESKY_URL: server.url,
    BLUESKY_HANDLE: 'ada.test',
    MASTODON_URL: server.url,
    FANFARE_KEY: KEY_TEXT,
    FANFARE_DATA: data,
    FANFARE_RULES: rules,
    LOG_LEVEL: 'debug',
    ...ON_CALL.environment,
  };
  const rule = ['id: hello', `when: ${ON_CALL.when}`, 'enabled: true'];
  writeFileSync(
    join(rules, 'hello.yaml'),
    `${rule.join('\n')}\nthen: [{ do: social.createPost, as: [x, bluesky, mastodon], with: { text: hi } }]\n`,
  );
  await using fanfare = await launch({ environment, cwd: directory.path });
  await untilReady(fanfare);
  await runRules(fanfare);

  const deliveries = await eventually('a refusal of all three', async () => {
    const listed = JSON.stringify(await getJson(`${fanfare.url}/api/deliveries`));
    return server.exchanges() >= 2 && (listed.match(/"message":/gu) ?? []).length >= 3 && listed;
  });
  const pages = await Promise.all(PAGES.map(async (path) => (await getText(`${fanfare.url}${path}`)).text));
  await fanfare[Symbol.asyncDispose]();

  expect([fanfare.output(), deliveries, ...pages].join('\n')).not.toContain('planted');
});
