import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startSandbox } from '#sandbox/index.ts';
import { signInTo } from '#src/app/open-sign-in.ts';
import { storedTokensIn } from '#src/app/stored-tokens.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';

const Stored = z.object({ accessToken: z.string().min(30), refreshToken: z.string().min(30) });
const ADMIN = { name: 'ada', via: 'cli', role: 'admin' } as const;

test('a channel signs in with a code, and its tokens are stored, logged nowhere and deleted', async () => {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock });
  const folder = temporaryFolder();
  const store = await openStore({ clock });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  const lines: string[] = [];
  const log = createLog({ level: 'debug', secrets: [], write: (line) => lines.push(line), color: false });
  const config = configOfEnvironment({ ...sandbox.environment, FANFARE_DATA: folder.path });
  const { signInChannel, signOutAccount } = signInTo({ config, store, clock, log });
  const codes: string[] = [];
  const prompts: (readonly string[])[] = [];

  const signingIn = signInChannel(
    {
      account: 'twitch',
      show({ code, scopes }) {
        codes.push(code);
        prompts.push(scopes.map(({ name }) => name));
        void fetch(`${sandbox.url}/control/twitch/activate`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code, user: 'ada', scopes: [] }),
        });
      },
    },
    ADMIN,
  );
  const { who, missing } = await whileSleeping(clock, signingIn);
  const stored = storedTokensIn(store, config, log)('twitch');
  const tokens = await stored.load();

  expect([who, prompts, missing.map(({ name }) => name)]).toEqual(['ada', [['moderator:read:followers']], ['moderator:read:followers']]);
  expect(tokens).toMatchObject({ login: 'ada', scopes: [] });
  const { accessToken, refreshToken } = Stored.parse(tokens);
  const secrets = [accessToken, refreshToken];
  log.warn({ tokens: secrets }, `tokens: ${secrets.join()}`);
  expect(secrets.filter((secret) => lines.join().includes(secret))).toEqual([]);
  await signOutAccount({ account: 'twitch' }, ADMIN);
  expect(await stored.load()).toBeUndefined();
});

test('the sign-in asks for what the rules need, and works while a rule has an error', async () => {
  const clock = new ManualClock();
  await using sandbox = await startSandbox({ clock });
  await using store = await openStore({ clock });
  using folder = temporaryFolder();
  const FANFARE_RULES = join(folder.path, 'rules');
  mkdirSync(FANFARE_RULES);
  const log = createLog({ level: 'warn', secrets: [], write: () => undefined, color: false });
  const config = configOfEnvironment({ ...sandbox.environment, FANFARE_DATA: folder.path, FANFARE_RULES });
  const { signInChannel } = signInTo({ config, store, clock, log });
  const asked = async (rules: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    for (const [name, source] of Object.entries(rules)) writeFileSync(join(FANFARE_RULES, `${name}.yaml`), source);
    const shown = Promise.withResolvers<readonly string[]>();
    const stopping = new AbortController();
    const signingIn = signInChannel(
      { account: 'twitch', show: ({ scopes }) => shown.resolve(scopes.map(({ name }) => name)) },
      ADMIN,
      stopping.signal,
    );
    const scopes = await shown.promise;
    stopping.abort(new Error('enough'));
    await expect(signingIn).rejects.toThrow('enough');
    return scopes;
  };

  expect(await asked({ broken: 'id: broken\nwhen: 3\n' })).toEqual(['moderator:read:followers']);
  const chat = (enabled: boolean): string =>
    `id: chat\nenabled: ${enabled}\nwhen: { every: 1h }\nthen: [{ do: streaming.sendChatMessage, as: twitch, with: { text: hello } }]\n`;
  expect(await asked({ chat: chat(false) })).toEqual(['moderator:read:followers']);
  expect(await asked({ chat: chat(true) })).toEqual(['moderator:read:followers', 'user:write:chat']);
});

test('an account without a channel is refused', async () => {
  const clock = new ManualClock();
  await using store = await openStore({ clock });
  using folder = temporaryFolder();
  const config = configOfEnvironment({ BLUESKY_HANDLE: 'ada.example', BLUESKY_APP_PASSWORD: 'p', FANFARE_DATA: folder.path });
  const log = createLog({ level: 'warn', secrets: [], write: () => undefined, color: false });
  const { signInChannel } = signInTo({ config, store, clock, log });

  await expect(signInChannel({ account: 'bluesky', show: () => undefined }, ADMIN)).rejects.toMatchObject({ code: 'accountNotFound' });
});
