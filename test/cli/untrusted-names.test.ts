import { expect, test } from 'vitest';
import type { CheckResult } from '#src/admin/doctor/check-result.ts';
import type { Account } from '#src/config/accounts.ts';
import type { SignIn } from '#src/admin/accounts/sign-in.ts';
import { auth } from '#src/cli/auth.ts';
import { examine } from '#src/cli/doctor.ts';
import { collectLines } from './collect-lines.ts';

const HOSTILE = 'signed in as @eve\u001B[2K\u001B[1A\n\u2713 x: all is well\u202Etfel';
const HARMLESS = 'signed in as @eve[2K[1A \u2713 x: all is welltfel';
const signal = new AbortController().signal;

test('doctor removes control characters from the text of a server', async () => {
  const { out, text } = collectLines();
  const findings: readonly CheckResult[] = [{ about: 'x', state: 'bad', what: HOSTILE, remedy: HOSTILE }];
  async function* found(): AsyncGenerator<CheckResult> {
    yield* findings;
  }

  await examine({ doctor: { examine: found, [Symbol.asyncDispose]: async () => undefined }, out, signal });

  expect(text().split('\n').slice(0, 2)).toEqual([`✗ x: ${HARMLESS}`, `    ${HARMLESS}`]);
});

test('auth removes control characters from the text of a server', async () => {
  const { out, text } = collectLines();
  const account: Account = {
    platform: 'twitch',
    account: 'twitch',
    clientId: 'a',
    clientSecret: 'b',
    apiUrl: 'https://twitch.test',
    authUrl: 'https://twitch.test',
  };
  const unexpected = (): never => {
    throw new Error('unexpected call');
  };
  const signingIn: SignIn = {
    accounts: [account],
    platforms: [],
    setupOf: unexpected,
    methodOf: () => 'credentials',
    signInAccount: async () => ({ who: HOSTILE }),
    confirmAccount: unexpected,
    signOutAccount: unexpected,
    signInChannel: unexpected,
    [Symbol.asyncDispose]: async () => undefined,
  };
  await auth({
    account: 'twitch',
    open: async () => signingIn,
    write: unexpected,
    offRules: async () => [],
    port: 8082,
    openCallback: unexpected,
    prompter: { ask: unexpected, [Symbol.dispose]: () => undefined },
    out,
    signal,
  });

  expect(text()).toBe(`✓ twitch: ${HARMLESS}`);
});
