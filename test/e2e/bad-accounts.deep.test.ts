import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { badServer, selfSigned } from '../adapters/bad-input/bad-server.ts';
import { ON_CALL, eventually, getJson, getText, launch, runRules, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLANTED = 'tr0ub4dor';
const PLATFORMS = ['x', 'bluesky', 'mastodon'] as const;
const PAGES = ['/', '/readyz', '/metrics', '/api/status', '/api/rules', '/api/decisions', '/api/deliveries', '/api/accounts'];
/** Accounts with secrets that must not be visible. */
const CREDENTIALS = {
  X_API_KEY: `${PLANTED}-x-key`,
  X_API_SECRET: `${PLANTED}-x-secret`,
  X_ACCESS_TOKEN: `${PLANTED}-x-token`,
  X_ACCESS_SECRET: `${PLANTED}-x-access`,
  BLUESKY_HANDLE: 'fanfare.sandbox.test',
  BLUESKY_APP_PASSWORD: `${PLANTED}-bluesky`,
  MASTODON_TOKEN: `${PLANTED}-mastodon`,
};

const Deliveries = z.object({ items: z.array(z.looseObject({ account: z.string().optional(), message: z.unknown().optional() })) });

interface Seen {
  /** The failed deliveries of the API, by account. */
  readonly deliveries: string;
  /** All visible texts: pages, answers of the API and the log. */
  readonly all: string;
}

/** The visible texts after a post to each of the three accounts has failed. */
async function seenOf(addresses: Readonly<Record<string, string>>): Promise<Seen> {
  using folder = temporaryFolder({ inMemory: true });
  mkdirSync(join(folder.path, 'rules'));
  const steps = PLATFORMS.map((account) => `{ do: social.createPost, as: ${account}, with: { text: hello } }`).join(', ');
  writeFileSync(join(folder.path, 'rules', 'hello.yaml'), `id: hello\nwhen: ${ON_CALL.when}\nthen: [${steps}]\nenabled: true\n`);
  const data = join(folder.path, 'data');
  const environment = { ...CREDENTIALS, ...addresses, ...ON_CALL.environment, FANFARE_DATA: data, LOG_LEVEL: 'debug' };
  await using fanfare = await launch({ environment, cwd: folder.path });
  await untilReady(fanfare);
  await runRules(fanfare);
  const deliveries = await eventually('a failed attempt on each platform', async () => {
    const { items } = Deliveries.parse(await getJson(`${fanfare.url}/api/deliveries`));
    const failed = items.filter(({ message }) => message !== undefined && message !== null);
    return failed.length >= PLATFORMS.length && JSON.stringify(failed);
  });
  const pages = await Promise.all(PAGES.map(async (path) => (await getText(`${fanfare.url}${path}`)).text));
  await fanfare[Symbol.asyncDispose]();
  return { deliveries, all: [fanfare.output(), ...pages].join('\n') };
}

const everywhere = (url: string): Readonly<Record<string, string>> => ({
  X_API_URL: url,
  BLUESKY_URL: url,
  BLUESKY_PLC_URL: url,
  MASTODON_URL: url,
});

test('the page and the API report wrong credentials with a remedy and without secrets', async () => {
  await using sandbox = await startSandbox({});
  const {
    X_API_URL = '',
    BLUESKY_URL = '',
    BLUESKY_PLC_URL = '',
    MASTODON_URL = '',
  } = Object.assign({}, ...Object.values(sandbox.onRequest));

  const { deliveries, all } = await seenOf({ X_API_URL, BLUESKY_URL, BLUESKY_PLC_URL, MASTODON_URL });

  expect(deliveries).toContain('check the four keys of OAuth 1.0a');
  expect(deliveries).toContain('rejects this handle and app password');
  expect(deliveries).toContain('sign in again with `npx fanfare auth mastodon`');
  expect(all).not.toContain(PLANTED);
});

test('a Discord token that is revoked at runtime makes Fanfare not ready at the next message, with a remedy', async () => {
  await using sandbox = await startSandbox({});
  using folder = temporaryFolder({ inMemory: true });
  mkdirSync(join(folder.path, 'rules'));
  const { DISCORD_TOKEN = '', DISCORD_GUILD_ID = '', DISCORD_API_URL = '' } = sandbox.environment;
  const step = '{ do: discord.send, with: { channel: live, content: hello } }';
  writeFileSync(join(folder.path, 'rules', 'hello.yaml'), `id: hello\nwhen: ${ON_CALL.when}\nthen: [${step}]\nenabled: true\n`);
  const data = join(folder.path, 'data');
  const environment = { DISCORD_TOKEN, DISCORD_GUILD_ID, DISCORD_API_URL, ...ON_CALL.environment, FANFARE_DATA: data };
  await using fanfare = await launch({ environment, cwd: folder.path });
  await untilReady(fanfare);

  sandbox.faults.add({ platform: 'discord', kind: 'status', status: 401 });
  await runRules(fanfare);

  const answer = await eventually('it is not ready', async () => {
    const { statusCode, text } = await getText(`${fanfare.url}/readyz`);
    return statusCode === 503 && text;
  });
  expect(answer).toContain('DISCORD_TOKEN');
});

test('an untrusted certificate is reported as such', async () => {
  await using server = await selfSigned(() => ({}));

  const { deliveries, all } = await seenOf(everywhere(server.url));

  expect(deliveries.match(/the certificate of the server/gu)).toHaveLength(PLATFORMS.length);
  expect(all).not.toContain(PLANTED);
  expect(server.lines).toEqual([]);
});

test('a website at the URL of a platform is reported as such without its content', async () => {
  await using server = await badServer(() => ({ text: `<!doctype html><title>${PLANTED}</title>` }));

  const { deliveries, all } = await seenOf(everywhere(server.url));

  expect(deliveries.match(/check the address of the API/gu)).toHaveLength(PLATFORMS.length);
  expect(all).not.toContain(PLANTED);
});
