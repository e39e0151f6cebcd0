import { fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { readInPage } from '#src/admin/accounts/page-sign-in.ts';
import { signInTo } from '#src/app/open-sign-in.ts';
import { storedTokensIn } from '#src/app/stored-tokens.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { createLog } from '#src/log.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperations } from '../../support/operations.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { whileSleeping } from '../../support/while-sleeping.ts';
import { openSite } from '../open-site.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A site with an account of the simulated Twitch. */
async function open() {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock });
  const folder = temporaryFolder();
  const store = await openStore({ clock });
  const closing = new AbortController();
  onTestFinished(async () => {
    closing.abort();
    await store[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  const log = createLog({ level: 'debug', secrets: [], write: () => undefined, color: false });
  const config = configOfEnvironment({ ...sandbox.environment, FANFARE_DATA: folder.path });
  const tokensOf = storedTokensIn(store, config, log);
  const operations = {
    ...noOperations,
    actions: { ...noOperations.actions, ...signInTo({ config, store, clock, log, closing: closing.signal }) },
    channelSignIn: (account: string) => readInPage(account, { tokensOf, clock }),
    auditLog: store.auditLog,
  };
  const { routes } = await openSite({ operations });
  type Answer = Readonly<Record<string, unknown>>;
  const read = async (): Promise<{ readonly status: number; readonly body: Answer }> => {
    const answer = await routes.request('/api/accounts/twitch/sign-in');
    return { status: answer.status, body: (await answer.json()) as Answer }; // the JSON of a record
  };
  const readUntil = async (state: string): Promise<Answer> => {
    for (;;) {
      const { body } = await read();
      if (body['state'] === state) return body;
      await clock.sleep(1_000);
    }
  };
  const outcomes = async (): Promise<readonly string[]> =>
    (await store.auditLog.list()).items.map(({ action, target, outcome }) => `${action} ${target} ${outcome}`);
  const readEnded = async (): Promise<readonly string[]> => {
    for (;;) {
      const all = await outcomes();
      if (!all.some((one) => one.endsWith('started'))) return all;
      await clock.sleep(1_000);
    }
  };
  return {
    clock,
    tokens: tokensOf('twitch'),
    read,
    /** Lets time pass until the sign-in has this state. */
    until: (state: string) => whileSleeping(clock, readUntil(state)),
    begin: async (account = 'twitch') => {
      const body = JSON.stringify({ channel: true });
      const answer = await routes.request(`/api/accounts/${account}/sign-in`, { method: 'POST', headers: JSON_TYPE, body });
      return { status: answer.status, body: (await answer.json()) as Answer & { readonly code: string } }; // the JSON of a record
    },
    signOut: () => routes.request('/api/accounts/twitch/sign-out', { method: 'POST', headers: JSON_TYPE, body: '{}' }),
    /** Enters a code on the page of the simulated Twitch. */
    confirm: async (code: string, scopes: readonly string[]) => {
      const body = JSON.stringify({ code, user: 'ada', scopes });
      await fetch(`${sandbox.url}/control/twitch/activate`, { method: 'POST', headers: JSON_TYPE, body });
    },
    outcomes,
    /** Lets time pass until no action runs. */
    endedOutcomes: () => whileSleeping(clock, readEnded()),
  };
}

test('a channel signs in with a code that a person enters at the platform', async () => {
  const { begin, read, until, confirm, tokens, outcomes } = await open();
  expect((await read()).status).toBe(404);

  const begun = await begin();
  const waiting = await read();
  await confirm(begun.body.code, ['moderator:read:followers']);
  const done = await until('done');

  expect(begun.status).toBe(200);
  expect(waiting.body).toMatchObject({
    state: 'waiting',
    code: begun.body.code,
    url: begun.body['url'],
    expiresAt: begun.body['expiresAt'],
  });
  expect(done).toMatchObject({ who: 'ada', missing: [] });
  expect(await tokens.load()).toMatchObject({ login: 'ada' });
  expect(JSON.stringify(done)).not.toContain('oken');
  expect(await outcomes()).toEqual(['signInAccount twitch done']);
});

test('a permission that the person did not allow is named', async () => {
  const { begin, confirm, until } = await open();

  const begun = await begin();
  await confirm(begun.body.code, []);

  expect(await until('done')).toMatchObject({ missing: [{ name: 'moderator:read:followers' }] });
});

test('a code expires, and a new one replaces it', async () => {
  const { begin, read, until, clock, confirm, tokens } = await open();
  const first = await begin();

  clock.set(Date.parse(String(first.body['expiresAt'])));
  expect((await read()).body).toMatchObject({ state: 'expired' });
  const second = await begin();
  await confirm(second.body.code, []);

  expect(second.body.code).not.toBe(first.body.code);
  expect(await until('done')).toMatchObject({ code: second.body.code, who: 'ada' });
  expect(await tokens.load()).toMatchObject({ login: 'ada' });
});

test('a code that is entered after a sign-out signs nobody in', async () => {
  const { begin, signOut, read, confirm, tokens, endedOutcomes } = await open();
  const begun = await begin();

  await signOut();
  await confirm(begun.body.code, []);
  const outcomes = await endedOutcomes();

  expect(await tokens.load()).toBeUndefined();
  expect((await read()).status).toBe(404);
  expect(outcomes).toEqual(['signOutAccount twitch unchanged', 'signInAccount twitch refused']);
});

test('an account without a channel is refused', async () => {
  const { begin, outcomes } = await open();

  expect(await begin('sandbox')).toMatchObject({ status: 404, body: { code: 'accountNotFound' } });
  expect(await outcomes()).toEqual(['signInAccount sandbox refused']);
});
