import { expect, test } from 'vitest';
import { request } from 'undici';
import { startSandbox } from '#src/sandbox/index.ts';
import { eventually, getJson, launch } from '../support/fanfare-process.ts';
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

/** The variables that hold a secret. */
const SECRETS = ['TWITCH_CLIENT_SECRET', 'KICK_CLIENT_SECRET', 'DISCORD_TOKEN', 'ASSISTANT_API_KEY', 'SANDBOX_TOKEN'] as const;

async function seenBy(
  environment: Readonly<Record<string, string>>,
  until: (url: string, output: string) => Promise<boolean>,
): Promise<string> {
  using directory = temporaryFolder();
  await using fanfare = await launch({ environment: { ...environment, FANFARE_DATA: directory.path, LOG_LEVEL: 'debug' } });
  await eventually('what the test waits for', () => until(fanfare.url, fanfare.output()));
  const pages = await Promise.all(PAGES.map(async (path) => (await request(`${fanfare.url}${path}`)).body.text()));
  await fanfare[Symbol.asyncDispose]();
  return [fanfare.output(), ...pages].join('\n');
}

test('no secret is in any line, error or page while everything works', { timeout: 90_000 }, async () => {
  await using sandbox = await startSandbox({});
  const sent = async (url: string): Promise<boolean> =>
    JSON.stringify(await getJson(`${url}/api/deliveries?state=sent`)).includes('social.createPost');

  const seen = await seenBy(sandbox.environment, sent);

  expect(seen).toContain('valorant-top');
  for (const name of SECRETS) expect(seen, name).not.toContain(sandbox.environment[name]);
});

test('no planted secret is in any line, error or page while everything is refused', { timeout: 60_000 }, async () => {
  await using sandbox = await startSandbox({});
  const planted = Object.fromEntries(SECRETS.map((name) => [name, `planted-${name.toLowerCase()}-0123456789`]));
  const refused = async (url: string): Promise<boolean> =>
    /unauthorized|rejected|forbidden/.test(JSON.stringify(await getJson(`${url}/api/decisions`)));

  const seen = await seenBy({ ...sandbox.environment, ...planted }, refused);

  expect(seen).not.toContain('planted-');
});
