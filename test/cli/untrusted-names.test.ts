import { expect, test } from 'vitest';
import type { CheckResult } from '#src/doctor/check-result.ts';
import { NEEDS } from '#src/sign-in/needs.ts';
import type { SignInAccount, SignIn } from '#src/sign-in/sign-in.ts';
import { auth } from '#src/cli/auth.ts';
import { examine } from '#src/cli/doctor.ts';
import { collectLines } from './collect-lines.ts';

const HOSTILE = 'signed in as @eve\u001B[2K\u001B[1A\n\u2713 x: all is well\u202Etfel';
const HARMLESS = 'signed in as @eve[2K[1A \u2713 x: all is welltfel';
const signal = new AbortController().signal;

test('what a server says of an account moves nothing on the screen of the doctor', async () => {
  const { out, text } = collectLines();
  const findings: readonly CheckResult[] = [{ about: 'x', state: 'bad', what: HOSTILE, remedy: HOSTILE }];
  async function* found(): AsyncGenerator<CheckResult> {
    yield* findings;
  }

  await examine({ doctor: { examine: found, [Symbol.asyncDispose]: async () => undefined }, out, signal });

  expect(text().split('\n').slice(0, 2)).toEqual([`✗ x: ${HARMLESS}`, `    ${HARMLESS}`]);
});

test('what a server says of an account moves nothing on the screen of who signs in', async () => {
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
    wayOf: () => 'credentials',
    check: async () => HOSTILE,
    begin: () => Promise.reject(new Error('nobody begins')),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const nobody = (): never => {
    throw new Error('nobody is asked');
  };

  await auth({
    account: 'twitch',
    needs: NEEDS,
    open: async () => signingIn,
    write: nobody,
    redirectUri: 'http://127.0.0.1/callback',
    openCallback: nobody,
    readSentBack: nobody,
    prompter: { ask: nobody, [Symbol.dispose]: () => undefined },
    out,
    signal,
  });

  expect(text()).toBe(`✓ twitch: ${HARMLESS}`);
});
