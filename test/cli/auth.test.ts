import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { definitionOf, type Account } from '#src/config/accounts.ts';
import type { SignIn, SignInMethod } from '#src/admin/accounts/sign-in.ts';
import { auth, type AuthOptions } from '#src/cli/auth.ts';
import { forSentences } from '#src/cli/format.ts';
import { parsePort } from '#src/cli/option-values.ts';
import { prompter } from '#src/cli/prompter.ts';
import { PlatformError } from '#src/errors.ts';
import { collectLines } from './collect-lines.ts';

interface AuthRun {
  readonly account: Account;
  readonly method: SignInMethod;
  readonly typed: readonly string[];
  readonly check?: (password: string | undefined) => Promise<string>;
  readonly finish?: () => Promise<readonly []>;
  readonly offRules?: AuthOptions['offRules'];
  /** The width of the terminal. */
  readonly columns?: number;
}

interface AuthResult {
  readonly ended: PromiseSettledResult<number>;
  readonly written: readonly unknown[];
  readonly text: () => string;
}

/** Runs `auth` for an account that is not configured, with typed answers. */
async function runAuth({
  account,
  method,
  typed,
  check = async () => 'signed in as @ada',
  offRules = async () => [],
  finish = async () => [],
  columns,
}: AuthRun): Promise<AuthResult> {
  const { out: whole, text } = collectLines();
  const out = forSentences({ ...whole, columns });
  const written: unknown[] = [];
  const input = new PassThrough();
  input.end(typed.map((line) => `${line}\n`).join(''));
  using asking = prompter({ input, out });
  const signingIn = (accounts: readonly Account[]): SignIn => ({
    accounts,
    platforms: [],
    setupOf: () => definitionOf(account).setup,
    methodOf: () => method,
    async signInAccount({ password, port }) {
      if (method !== 'browser') return { who: await check(password) };
      const redirectUri = `http://127.0.0.1:${port}/callback`;
      return { url: 'https://example.test/authorize?state=s', redirectUri, scopes: [{ name: 'write', why: 'to post' }] };
    },
    async confirmAccount() {
      const missing = await finish();
      try {
        return { who: await check(undefined), missing };
      } catch (failure) {
        if (!(failure instanceof PlatformError)) throw failure;
        return { failure, missing };
      }
    },
    signOutAccount: () => Promise.reject(new Error('not part of this test')),
    signInChannel: () => Promise.reject(new Error('not part of this test')),
    [Symbol.asyncDispose]: async () => undefined,
  });
  const [ended] = await Promise.allSettled([
    auth({
      account: account.platform,
      open: async (added) => signingIn(added ? [account] : []),
      write: async (variables) => void written.push(variables),
      offRules,
      port: 8082,
      openCallback: async () => ({ answer: new Promise(() => undefined), isListening: true, [Symbol.asyncDispose]: async () => undefined }),
      prompter: asking,
      out,
      signal: new AbortController().signal,
    }),
  ]);
  return { ended, written, text };
}

const KICK = { platform: 'kick', account: 'kick' } as Account; // the setup reads no other fields

test('the steps of a setup continue below their text in a narrow terminal', async () => {
  const { text } = await runAuth({ account: KICK, method: 'credentials', typed: [], columns: 60 });

  const lines = text().split('\n');
  const steps = lines.slice(1, lines.indexOf('Client ID'));
  expect(steps.length).toBeGreaterThan(3);
  expect(steps.filter((line) => line.length > 60 || !/^ {2}(?:\d\. | {3})\S/u.test(line))).toEqual([]);
});

const BLUESKY: Account = {
  platform: 'bluesky',
  account: 'bluesky',
  handle: 'ada.test',
  url: 'https://bsky.test',
  plcUrl: undefined,
  videoUrl: undefined,
};
const X: Account = { platform: 'x', account: 'x', clientId: 'id', apiUrl: 'https://x.test' };
const refusal = new PlatformError('wrong', { platform: 'x', fault: 'unauthorized' });

describe('answers', () => {
  test('are written to .env after the platform accepts them', async () => {
    const { ended, written, text } = await runAuth({ account: BLUESKY, method: 'password', typed: ['ada.test', 'the password'] });

    expect(ended).toMatchObject({ value: 0 });
    expect(written).toEqual([{ BLUESKY_HANDLE: 'ada.test' }]);
    expect(text()).toContain('Written to .env: BLUESKY_HANDLE');
  });

  test('are followed by the rules that stay off with the new account', async () => {
    const offRules: AuthOptions['offRules'] = async (added) => [
      { name: Object.keys(added).join(), file: 'rules/first-rule.yaml', enabledLine: 6, enabled: 'sandbox' },
    ];

    const { text } = await runAuth({ account: BLUESKY, method: 'password', typed: ['ada.test', 'the password'], offRules });

    expect(text().trimEnd().split('\n').slice(-2)).toEqual([
      'off: BLUESKY_HANDLE, rules/first-rule.yaml:6 (enabled: sandbox)',
      'To run a rule that is off, write enabled: true in this line',
    ]);
  });

  test('are not written to .env if the platform rejects them', async () => {
    const typed = ['ada.tset', 'the password'];
    const { ended, written } = await runAuth({ account: BLUESKY, method: 'password', typed, check: () => Promise.reject(refusal) });

    expect(ended).toMatchObject({ reason: refusal });
    expect(written).toEqual([]);
  });

  test.for([
    ['credentials', KICK, ['id', 'secret', ''], { KICK_CLIENT_ID: 'id', KICK_CLIENT_SECRET: 'secret' }],
    ['password', BLUESKY, ['ada.test', 'the password', ''], { BLUESKY_HANDLE: 'ada.test' }],
  ] as const)('are tried again if the platform did not answer: %s', async ([method, account, typed, variables]) => {
    const down = new PlatformError('the host name cannot be found', { platform: account.platform, fault: 'unreachable' });
    let tries = 0;
    const check = () => (tries++ === 0 ? Promise.reject(down) : Promise.resolve('signed in as @ada'));

    const { ended, written, text } = await runAuth({ account, method, typed, check });

    expect(ended).toMatchObject({ value: 0 });
    expect(written).toEqual([variables]);
    expect(text()).toMatch(/the host name cannot be found\nNothing is stored yet\. .*press Enter[^]*signed in as @ada/u);
  });

  test('are given up with stop, and then nothing is written', async () => {
    const down = new PlatformError('it is down', { platform: 'kick', fault: 'unavailable' });
    const typed = ['id', 'secret', '', 'stop'];
    const { ended, written, text } = await runAuth({ account: KICK, method: 'credentials', typed, check: () => Promise.reject(down) });

    expect(ended).toMatchObject({ reason: down });
    expect(written).toEqual([]);
    expect(text().match(/it is down/gu)).toHaveLength(2);
  });

  test('are written to .env if the platform does not answer after the sign-in in the browser', async () => {
    const lost = new PlatformError('X did not answer', { platform: 'x', fault: 'unanswered' });
    const typed = ['id', 'secret', 'http://127.0.0.1:8082/callback?code=c&state=s'];
    const { ended, written } = await runAuth({ account: X, method: 'browser', typed, finish: () => Promise.reject(lost) });

    expect(ended).toMatchObject({ reason: lost });
    expect(written).toEqual([{ X_CLIENT_ID: 'id', X_CLIENT_SECRET: 'secret' }]);
  });

  test('are not written to .env if the sign-in in the browser fails', async () => {
    const typed = ['id', 'secret', 'http://127.0.0.1:8082/callback?code=c&state=s'];
    const { ended, written, text } = await runAuth({ account: X, method: 'browser', typed, finish: () => Promise.reject(refusal) });

    expect(ended).toMatchObject({ reason: refusal });
    expect(written).toEqual([]);
    expect(text()).toContain('check that the client id is right and that http://127.0.0.1:8082/callback is a callback URI of the app');
  });

  test('are written to .env with stored tokens, even if the check fails afterwards', async () => {
    const typed = ['id', 'secret', 'http://127.0.0.1:8082/callback?code=c&state=s'];
    const { ended, written } = await runAuth({ account: X, method: 'browser', typed, check: () => Promise.reject(refusal) });

    expect(ended).toMatchObject({ reason: refusal });
    expect(written).toEqual([{ X_CLIENT_ID: 'id', X_CLIENT_SECRET: 'secret' }]);
  });
});

test.for([
  ['abc', /expected a whole number of at least 0, found "abc"/],
  ['99999', /at most 65535/],
] as const)('--port %s is rejected', ([text, reason]) => {
  expect(() => parsePort(text)).toThrow(reason);
});

describe('a password that the platform rejects', () => {
  const passwords: (string | undefined)[] = [];
  const check = async (password: string | undefined): Promise<string> => {
    passwords.push(password);
    if (password !== 'the right one') throw refusal;
    return 'signed in as @ada';
  };

  test('is asked for again with the error of the platform', async () => {
    passwords.length = 0;
    const typed = ['ada.test', 'a wrong one', '', 'never reached'];
    const second = ['ada.test', 'a wrong one', 'the right one'];

    const gaveUp = await runAuth({ account: BLUESKY, method: 'password', typed, check });
    const { ended, text } = await runAuth({ account: BLUESKY, method: 'password', typed: second, check });

    expect(gaveUp.ended).toMatchObject({ reason: refusal });
    expect(ended).toMatchObject({ value: 0 });
    expect(passwords).toEqual(['a wrong one', 'a wrong one', 'the right one']);
    expect(text()).toMatch(/wrong\n[^]*App password of bluesky \(leave empty to stop\)\n[^]*signed in as @ada/u);
    expect(text()).not.toMatch(/a wrong one|the right one/u);
  });

  test('is not asked for again after another error', async () => {
    const down = new PlatformError('it is down', { platform: 'bluesky', fault: 'unreachable' });
    const { ended } = await runAuth({
      account: BLUESKY,
      method: 'password',
      typed: ['ada.test', 'one', 'two'],
      check: () => Promise.reject(down),
    });

    expect(ended).toMatchObject({ reason: down });
  });
});

test('after a refusal in the browser, nothing is stored', async () => {
  const typed = ['id', 'secret', 'http://127.0.0.1:8082/callback?error=access_denied&state=s'];
  const { ended, written, text } = await runAuth({ account: X, method: 'browser', typed });

  expect(ended).toMatchObject({ status: 'rejected' });
  expect(written).toEqual([]);
  expect(text()).toContain('The access was denied in the browser. You are not signed in.');
});

test('invalid answers and addresses are asked for again', async () => {
  const typed = ['', 'id', '', 'what now', 'https://x.com/home?state=s', 'http://127.0.0.1:8082/callback?code=c&state=s'];
  const { ended, text } = await runAuth({ account: X, method: 'browser', typed });

  expect(ended).toMatchObject({ value: 0 });
  expect(text()).toMatch(/a value is required[^]*not an address[^]*There is no code in this address[^]*signed in as @ada/u);
});
