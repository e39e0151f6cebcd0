import { expect, test } from 'vitest';
import type { CheckResult } from '#src/doctor/check-result.ts';
import type { SignInAccount, SignIn } from '#src/sign-in/sign-in.ts';
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
  const account: SignInAccount = {
    platform: 'twitch',
    account: 'twitch',
    clientId: 'a',
    clientSecret: 'b',
    apiUrl: 'https://twitch.test',
    authUrl: 'https://twitch.test',
  };
  const signingIn: SignIn = {
    accounts: [account],
    methodOf: () => 'credentials',
    check: async () => HOSTILE,
    begin: () => Promise.reject(new Error('unexpected call')),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const unexpected = (): never => {
    throw new Error('unexpected call');
  };

  await auth({
    account: 'twitch',
    open: async () => signingIn,
    write: unexpected,
    offRules: async () => [],
    redirectUri: 'http://127.0.0.1/callback',
    openCallback: unexpected,
    prompter: { ask: unexpected, [Symbol.dispose]: () => undefined },
    out,
    signal,
  });

  expect(text()).toBe(`✓ twitch: ${HARMLESS}`);
});
