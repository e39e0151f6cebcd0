import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { NEEDS } from '#src/sign-in/needs.ts';
import { readSentBack } from '#src/sign-in/redirect-parameters.ts';
import type { SignInAccount, SignIn, Way } from '#src/sign-in/sign-in.ts';
import { auth } from '#src/cli/auth.ts';
import { portFrom } from '#src/cli/numbers.ts';
import { prompter } from '#src/cli/prompter.ts';
import { PlatformError } from '#src/errors.ts';
import { collectLines } from './collect-lines.ts';

interface Walk {
  readonly account: SignInAccount;
  readonly way: Way;
  readonly typed: readonly string[];
  readonly check?: (password: string | undefined) => Promise<string>;
  readonly finish?: () => Promise<readonly []>;
}

interface Walked {
  readonly ended: PromiseSettledResult<number>;
  readonly written: readonly unknown[];
  readonly text: () => string;
}

/** Somebody signs in to an account that is not configured yet, and types. */
async function walk({ account, way, typed, check = async () => 'signed in as @ada', finish = async () => [] }: Walk): Promise<Walked> {
  const { out, text } = collectLines();
  const written: unknown[] = [];
  const input = new PassThrough();
  input.end(typed.map((line) => `${line}\n`).join(''));
  using asking = prompter({ input, out });
  const signingIn = (accounts: readonly SignInAccount[]): SignIn => ({
    accounts,
    wayOf: () => way,
    check: (_account, { password }) => check(password),
    begin: async () => ({ url: 'https://example.test/authorize', state: 's', scopes: [{ name: 'write', why: 'to post' }], finish }),
    [Symbol.asyncDispose]: async () => undefined,
  });
  const [ended] = await Promise.allSettled([
    auth({
      account: account.platform,
      needs: NEEDS,
      open: async (added) => signingIn(added ? [account] : []),
      write: async (variables) => void written.push(variables),
      redirectUri: 'http://127.0.0.1:8082/callback',
      openCallback: async () => ({ answer: new Promise(() => undefined), isListening: true, [Symbol.asyncDispose]: async () => undefined }),
      readSentBack,
      prompter: asking,
      out,
      signal: new AbortController().signal,
    }),
  ]);
  return { ended, written, text };
}

const BLUESKY: SignInAccount = { platform: 'bluesky', account: 'bluesky', handle: 'ada.test', url: 'https://bsky.test' };
const X: SignInAccount = { platform: 'x', account: 'x', clientId: 'id', apiUrl: 'https://x.test' };
const refusal = new PlatformError('wrong', { platform: 'x', fault: 'unauthorized' });

describe('what was answered', () => {
  test('is written down once the platform has taken it', async () => {
    const { ended, written, text } = await walk({ account: BLUESKY, way: 'password', typed: ['ada.test', 'the password'] });

    expect(ended).toMatchObject({ value: 0 });
    expect(written).toEqual([{ BLUESKY_HANDLE: 'ada.test' }]);
    expect(text()).toContain('BLUESKY_HANDLE stands in .env now');
  });

  test('is not written down where the platform refuses it: it is asked for again', async () => {
    const typed = ['ada.tset', 'the password'];
    const { ended, written } = await walk({ account: BLUESKY, way: 'password', typed, check: () => Promise.reject(refusal) });

    expect(ended).toMatchObject({ reason: refusal });
    expect(written).toEqual([]);
  });

  test('is not written down where the browser leads nowhere', async () => {
    const typed = ['id', 'secret', 'http://127.0.0.1:8082/callback?code=c&state=s'];
    const { ended, written, text } = await walk({ account: X, way: 'browser', typed, finish: () => Promise.reject(refusal) });

    expect(ended).toMatchObject({ reason: refusal });
    expect(written).toEqual([]);
    expect(text()).toContain('its app needs this client id, and http://127.0.0.1:8082/callback as a callback URI');
  });

  test('is kept beside the tokens that it brought, whatever the platform says next', async () => {
    const typed = ['id', 'secret', 'http://127.0.0.1:8082/callback?code=c&state=s'];
    const { ended, written } = await walk({ account: X, way: 'browser', typed, check: () => Promise.reject(refusal) });

    expect(ended).toMatchObject({ reason: refusal });
    expect(written).toEqual([{ X_CLIENT_ID: 'id', X_CLIENT_SECRET: 'secret' }]);
  });
});

test.for([
  ['abc', /abc is not a whole number/],
  ['99999', /too large/],
] as const)('--port %s is refused', ([text, reason]) => {
  expect(() => portFrom(text)).toThrow(reason);
});

describe('a password that the platform refuses', () => {
  const passwords: (string | undefined)[] = [];
  const check = async (password: string | undefined): Promise<string> => {
    passwords.push(password);
    if (password !== 'the right one') throw refusal;
    return 'signed in as @ada';
  };

  test('is asked for again, with what is wrong', async () => {
    passwords.length = 0;
    const typed = ['ada.test', 'a wrong one', '', 'never reached'];
    const second = ['ada.test', 'a wrong one', 'the right one'];

    const gaveUp = await walk({ account: BLUESKY, way: 'password', typed, check });
    const { ended, text } = await walk({ account: BLUESKY, way: 'password', typed: second, check });

    expect(gaveUp.ended).toMatchObject({ reason: refusal });
    expect(ended).toMatchObject({ value: 0 });
    expect(passwords).toEqual(['a wrong one', 'a wrong one', 'the right one']);
    expect(text()).toMatch(/wrong\n[^]*App password of bluesky \(nothing: give up\)\n[^]*signed in as @ada/u);
    expect(text()).not.toMatch(/a wrong one|the right one/u);
  });

  test('is not asked for again where it is not the password that is wrong', async () => {
    const down = new PlatformError('it is down', { platform: 'bluesky', fault: 'unreachable' });
    const { ended } = await walk({
      account: BLUESKY,
      way: 'password',
      typed: ['ada.test', 'one', 'two'],
      check: () => Promise.reject(down),
    });

    expect(ended).toMatchObject({ reason: down });
  });
});

test('whoever refuses in the browser is told so, and nothing is kept', async () => {
  const typed = ['id', 'secret', 'http://127.0.0.1:8082/callback?error=access_denied&state=s'];
  const { ended, written, text } = await walk({ account: X, way: 'browser', typed });

  expect(ended).toMatchObject({ status: 'rejected' });
  expect(written).toEqual([]);
  expect(text()).toContain('It was refused in the browser: nobody is signed in.');
});

test('what is pasted and is no answer is asked for again', async () => {
  const typed = ['', 'id', '', 'what now', 'https://x.com/home?state=s', 'http://127.0.0.1:8082/callback?code=c&state=s'];
  const { ended, text } = await walk({ account: X, way: 'browser', typed });

  expect(ended).toMatchObject({ value: 0 });
  expect(text()).toMatch(/it is needed[^]*not an address[^]*There is no code in this address[^]*signed in as @ada/u);
});
