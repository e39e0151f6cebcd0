import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { fc } from '../../support/property.ts';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { openCallback, redirectUriOf } from '#src/admin/accounts/callback.ts';
import { addToDotEnv } from '#src/admin/accounts/dot-env.ts';
import { readSentBack } from '#src/admin/accounts/redirect-parameters.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('a pasted address', () => {
  test.for([
    ['http://127.0.0.1:8082/callback?state=s&code=c%2B1', { code: 'c+1', state: 's' }],
    ['  127.0.0.1:8082/callback?code=c&state=s  ', { code: 'c', state: 's' }],
  ] as const)('%s', ([pasted, sentBack]) => {
    expect(readSentBack(pasted, 's')).toEqual(sentBack);
  });

  test.for([
    ['http://127.0.0.1:8082/callback?error=access_denied&state=s', /denied in the browser/],
    ['http://127.0.0.1:8082/callback?error=<b>x</b>&state=s', /The platform refused: bxb\./],
    ['https://x.com/i/oauth2/authorize?client_id=a&state=s', /no code in this address/],
    ['what shall I do', /not an address/],
    ['a-code-alone', /not an address/],
    ['http://127.0.0.1:8082/callback?code=c', /not belong to this sign-in/],
    ['http://127.0.0.1:8082/callback?code=c&state=other', /not belong to this sign-in/],
    ['http://127.0.0.1:8082/callback?error=access_denied', /not belong to this sign-in/],
  ] as const)('%s is rejected', ([pasted, reason]) => {
    expect(() => readSentBack(pasted, 's')).toThrow(reason);
  });
});

describe('the callback server', () => {
  test('accepts the code and responds only to the callback', async () => {
    const port = 18_000 + (process.pid % 1_000);
    await using callback = await openCallback(port, 's');

    const other = await request(`http://127.0.0.1:${port}/favicon.ico`);
    const page = await request(`${redirectUriOf(port)}?code=c&state=s`);

    expect(callback.isListening).toBe(true);
    expect([other.statusCode, page.statusCode]).toEqual([404, 200]);
    expect(await page.body.text()).toContain('The sign-in is complete.');
    expect(await callback.answer).toEqual({ code: 'c', state: 's' });
  });

  test('survives a request with an invalid address', async () => {
    const port = 17_000 + (process.pid % 1_000);
    await using callback = await openCallback(port, 's');

    const odd = await request(`http://127.0.0.1:${port}//`);
    await request(`${redirectUriOf(port)}?code=c&state=s`);

    expect(odd.statusCode).toBe(404);
    expect(await callback.answer).toEqual({ code: 'c', state: 's' });
  });

  test.for([
    ['without a state', '?code=c', {}, 400],
    ['with the state of another sign-in', '?code=c&state=other', {}, 400],
    ['with an error of any page', '?error=access_denied', {}, 400],
    ['with an error and a state that is not ours', '?error=access_denied&state=x', {}, 400],
    ['with the host name of another machine', '?code=c&state=s', { host: 'evil.example' }, 403],
    ['with that host name and the right port', '?code=c&state=s', { host: 'evil.example:8082' }, 403],
  ] as const)('a request %s does not end the sign-in', async ([, query, headers, status]) => {
    const port = 16_000 + (process.pid % 1_000);
    await using callback = await openCallback(port, 's');

    const foreign = await request(`${redirectUriOf(port)}${query}`, { headers });
    await foreign.body.dump();
    await request(`http://localhost:${port}/callback?code=ours&state=s`);

    expect(foreign.statusCode).toBe(status);
    expect(await callback.answer).toEqual({ code: 'ours', state: 's' });
  });

  test('rejects when the platform refused', async () => {
    const port = 15_000 + (process.pid % 1_000);
    await using callback = await openCallback(port, 's');

    await request(`${redirectUriOf(port)}?error=access_denied&state=s`);

    await expect(callback.answer).rejects.toThrow('The access was denied in the browser');
  });

  test('knows that its port is in use', async () => {
    const port = 19_000 + (process.pid % 1_000);
    await using _first = await openCallback(port, 's');
    await using second = await openCallback(port, 's');

    expect(second.isListening).toBe(false);
  });
});

describe('a .env file', () => {
  test('gets new variables at its end, readable only by the owner', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, '.env');
    await addToDotEnv(path, { A: '1' });
    await addToDotEnv(path, { B: 'two words', C: 'x#y' });

    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe("A=1\nB='two words'\nC='x#y'\n");
  });

  test('that others can read becomes readable only by the owner', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, '.env');
    writeFileSync(path, 'A=1\n', { mode: 0o644 });
    await addToDotEnv(path, { SECRET: '2' });

    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('without a final line break keeps its last line', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, '.env');
    writeFileSync(path, 'A=1');
    await addToDotEnv(path, { B: '2' });

    expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({ A: '1', B: '2' });
  });

  test('that Windows PowerShell wrote keeps its encoding', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, '.env');
    writeFileSync(path, '\uFEFFA=1\r\n', 'utf16le');
    await addToDotEnv(path, { B: '2', C: 'x y' });

    expect(readFileSync(path, 'utf16le')).toBe("\uFEFFA=1\r\nB=2\nC='x y'\n");
  });

  test.for([
    ['with an open quotation mark', Buffer.from("A='x\nD=4\n")],
    ['with a space behind its last =', Buffer.from('D=4\nA= \n')],
    ['in UTF-16 without a mark', Buffer.from('A=1\r\n', 'utf16le')],
    ['in two encodings', Buffer.concat([Buffer.from('\uFEFFA=1\r\n', 'utf16le'), Buffer.from('B=22\n')])],
  ] as const)('%s stays unchanged, because a value would be lost', async ([, before]) => {
    using folder = temporaryFolder();
    const path = join(folder.path, '.env');
    writeFileSync(path, before);

    await expect(addToDotEnv(path, { B: '2', C: "it's" })).rejects.toThrow('Nothing was written: lines at the end of .env');
    expect(readFileSync(path)).toEqual(before);
  });

  test('name the variables, without their values, if .env cannot be written', async () => {
    using folder = temporaryFolder();

    // A folder in the place of the file.
    const written = addToDotEnv(folder.path, { TWITCH_CLIENT_ID: '1', TWITCH_CLIENT_SECRET: 'hidden' });

    await expect(written).rejects.toMatchObject({
      name: 'ConfigError',
      file: folder.path,
      message: 'the file cannot be written (EISDIR)',
      hint: 'set these variables in the environment of Fanfare: TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET',
    });
  });

  test('is parsed to the written values', async () => {
    using folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[!-&(-~ ]{1,40}$/u), async (value) => {
        const path = join(folder.path, `env-${Math.random()}`);
        await addToDotEnv(path, { SECRET: value });

        expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({ SECRET: value });
      }),
    );
  });
});
