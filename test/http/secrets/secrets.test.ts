import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codePoint, fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '#src/errors.ts';
import { createLog, silentLog } from '#src/log.ts';
import { failureOf } from '#src/engine/delivery/failure.ts';
import { fingerprintOfKey, openKey } from '#src/http/secrets/key.ts';
import { seal, unseal, sealedTokens, type SealedRows } from '#src/http/secrets/sealed-tokens.ts';
import { openStore } from '#src/store/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WRITTEN = 'correct horse battery staple, and more';

describe('a sealed text', () => {
  test('is unsealed only with the same key under the same name', async () => {
    const key = await openKey({ written: WRITTEN, file: '/none' });
    const other = await openKey({ written: `${WRITTEN}!`, file: '/none' });

    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string(), fc.nat(), (text, name, place) => {
        const sealed = seal(text, { key, name });
        // The last letter may encode bits that are not part of a byte.
        const index = 3 + (place % (sealed.length - 4));
        const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1);

        expect(unseal(sealed, { key, name })).toBe(Buffer.from(text).toString());
        expect(unseal(sealed, { key: other, name })).toBeUndefined();
        expect(unseal(sealed, { key, name: `${name}2` })).toBeUndefined();
        expect(unseal(changed, { key, name })).toBeUndefined();
        expect(seal(text, { key, name })).not.toBe(sealed);
      }),
    );
  });

  test.for(['', 'v1.', 'v2.AAAA', 'no form at all', 'v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
    'in a wrong form is not unsealed: %j',
    async (text) => {
      expect(unseal(text, { key: await openKey({ written: WRITTEN, file: '/none' }), name: 'x' })).toBeUndefined();
    },
  );
});

describe('the fingerprint of a key', () => {
  test('is equal for equal keys only, and does not contain the key', async () => {
    const fingerprint = await fingerprintOfKey({ written: WRITTEN, file: '/none' });
    const key = await openKey({ written: WRITTEN, file: '/none' });

    expect(await fingerprintOfKey({ written: ` ${WRITTEN}\n`, file: '/none' })).toBe(fingerprint);
    expect(await fingerprintOfKey({ written: `${WRITTEN}!`, file: '/none' })).not.toBe(fingerprint);
    expect(fingerprint).toMatch(/^[\w-]{16}$/u);
    expect(key.toString('base64url')).not.toContain(fingerprint);
  });

  test('is absent without a usable key, and creates no file', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');

    expect(await fingerprintOfKey({ file })).toBeUndefined();
    expect(existsSync(file)).toBe(false);
    expect(await fingerprintOfKey({ written: 'too short', file })).toBeUndefined();
  });
});

describe('the key', () => {
  test('is created once, in a file that only its owner can read', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');

    const [first, second] = await Promise.all([openKey({ file }), openKey({ file })]);

    expect(first).toEqual(second);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim().length).toBeGreaterThan(40);
  });

  test('is written to its file completely or not at all', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    const seen = new Set<number>();
    let isMade = false;
    const making = openKey({ file }).finally(() => (isMade = true));
    while (!isMade) {
      if (existsSync(file)) seen.add(statSync(file).size);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await making;

    expect(seen.has(0)).toBe(false);
    expect(readdirSync(folder.path)).toEqual(['key']);
  });

  test('that is missing in its file is an error with the path of the file', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    writeFileSync(file, '', { mode: 0o600 });

    await expect(openKey({ file })).rejects.toMatchObject({ file });
  });

  test('in a file that others can read is rejected, with advice', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    await openKey({ file });
    chmodSync(file, 0o644);

    await expect(openKey({ file })).rejects.toMatchObject({
      message: expect.stringMatching(/other users can read/),
      hint: `chmod 600 ${file}`,
    });
  });

  test('in a file that the system does not read, or in a folder that does not exist, is an error with its code', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    symlinkSync('key', file);

    await expect(openKey({ file })).rejects.toMatchObject({ name: 'ConfigError', file, message: 'the key cannot be read (ELOOP)' });
    await expect(openKey({ file: join(folder.path, 'none', 'key') })).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'the key cannot be created (ENOENT)',
      hint: expect.stringContaining('set FANFARE_KEY') as unknown,
    });
  });

  test.skipIf(process.getuid?.() === 0)('of another user is an error with advice', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    await openKey({ file });
    chmodSync(file, 0);

    await expect(openKey({ file })).rejects.toMatchObject({
      name: 'ConfigError',
      message: 'the key cannot be read (EACCES)',
      hint: `give it to the user of Fanfare: chown <user> ${file}`,
    });
  });

  test('that is too short is rejected, and not quoted in the error', async () => {
    const error: unknown = await openKey({ written: 'hunter2', file: '/none' }).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).not.toContain('hunter2');
  });
});

describe('the tokens of an account', () => {
  test('survive a restart, and are not readable in the files', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'fanfare.sqlite');
    const key = () => openKey({ file: join(folder.path, 'key') });
    {
      await using store = await openStore({ file });
      await sealedTokens({ account: 'x', rows: store.sealedRows, key, log: silentLog }).save({ accessToken: 'very-secret-access' });
    }
    await using store = await openStore({ file });

    expect(await sealedTokens({ account: 'x', rows: store.sealedRows, key, log: silentLog }).load()).toEqual({
      accessToken: 'very-secret-access',
    });
    expect(await sealedTokens({ account: 'other', rows: store.sealedRows, key, log: silentLog }).load()).toBeUndefined();
    for (const part of [file, `${file}-wal`]) expect(readFileSync(part).includes('very-secret-access')).toBe(false);
  });

  test('are concealed in the log after they are saved or loaded; other fields are not', async () => {
    await using store = await openStore();
    const [lines, key]: [string[], () => ReturnType<typeof openKey>] = [[], () => openKey({ written: WRITTEN, file: '/none' })];
    const logOf = () => createLog({ level: 'info', secrets: [], color: false, write: (line) => lines.push(line) });
    const echo = 'access-1 refresh-1 access-2 jwt-2 did:plc:ada ada.test tweet.read';
    const [saving, loading] = [logOf(), logOf()];
    const tokens = { account: 'x', rows: store.sealedRows, key };

    const saved = sealedTokens({ ...tokens, log: saving });
    await saved.save({ accessToken: 'access-1', refreshToken: 'refresh-1', scopes: ['tweet.read'] });
    saving.info({ echo }, 'a platform echoes');
    await saved.save({ accessToken: 'access-2', refreshJwt: 'jwt-2', did: 'did:plc:ada', handle: 'ada.test' });
    saving.info({ echo }, 'a platform echoes');
    await sealedTokens({ ...tokens, log: loading }).load();
    loading.info({ echo }, 'a platform echoes');

    expect(lines.map((line) => /echo="([^"]*)"/u.exec(line)?.[1])).toEqual([
      '[secret] [secret] access-2 jwt-2 did:plc:ada ada.test tweet.read',
      '[secret] [secret] [secret] [secret] did:plc:ada ada.test tweet.read',
      'access-1 refresh-1 [secret] [secret] did:plc:ada ada.test tweet.read',
    ]);
  });

  test('are concealed in the log even if they cannot be saved', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', secrets: [], color: false, write: (line) => lines.push(line) });
    await using store = await openStore();
    const rows = { ...store.sealedRows, save: () => Promise.reject(new Error('the disk is full')) };

    const saving = sealedTokens({ account: 'x', rows, key: () => openKey({ written: WRITTEN, file: '/none' }), log }).save({
      accessJwt: 'jwt-1',
    });
    await expect(saving).rejects.toThrow('the disk is full');
    log.info({ echo: 'jwt-1' }, 'a platform echoes');

    expect(lines[0]).toContain('echo=[secret]');
  });

  test('that another process saved are others than the loaded ones; own renewals are not', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'fanfare.sqlite');
    await using daemon = await openStore({ file });
    await using command = await openStore({ file });
    const key = () => openKey({ written: WRITTEN, file: '/none' });
    const [held, signedIn] = [daemon, command].map((store) => sealedTokens({ account: 'x', rows: store.sealedRows, key, log: silentLog }));

    expect(await held?.areOthers()).toBe(false);
    await held?.save({ accessToken: 'a' });
    expect(await held?.areOthers()).toBe(false);
    await signedIn?.save({ accessToken: 'a' });
    expect(await held?.areOthers()).toBe(true);
    await held?.load();
    expect(await held?.areOthers()).toBe(false);
  });

  test('sealed with another key are an error with advice to sign in again, and deliveries are repeated', async () => {
    await using store = await openStore();
    const rows = store.sealedRows;
    await sealedTokens({ account: 'x', rows, key: () => openKey({ written: WRITTEN, file: '/none' }), log: silentLog }).save({ a: 1 });

    const tokens = sealedTokens({ account: 'x', rows, key: () => openKey({ written: `${WRITTEN}!`, file: '/none' }), log: silentLog });
    const error: unknown = await tokens.load().catch((reason: unknown) => reason);

    expect(String(error)).toMatch(/npx fanfare auth x/);
    expect(failureOf(error)).toMatchObject({ remedy: 'repeat', error: { fault: 'unauthorized' } });
  });

  test('with a key that others can read are an error with advice, and deliveries are repeated', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    await using store = await openStore();
    const tokens = sealedTokens({ account: 'x', rows: store.sealedRows, key: () => openKey({ file }), log: silentLog });
    await tokens.save({ a: 1 });
    chmodSync(file, 0o640);

    const error: unknown = await tokens.load().catch((reason: unknown) => reason);

    expect(failureOf(error)).toMatchObject({ remedy: 'repeat', error: { message: expect.stringContaining(`chmod 600 ${file}`) } });
  });

  test('with a key that the system does not read are unauthorized, and deliveries are repeated', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'key');
    await using store = await openStore();
    const tokens = sealedTokens({ account: 'x', rows: store.sealedRows, key: () => openKey({ file }), log: silentLog });
    await tokens.save({ a: 1 });
    rmSync(file);
    symlinkSync('key', file);

    const error: unknown = await tokens.load().catch((reason: unknown) => reason);

    expect(failureOf(error)).toMatchObject({ remedy: 'repeat', error: { fault: 'unauthorized' } });
  });

  test('that cannot be read are unreachable, because nothing was sent', async () => {
    const rows: SealedRows = {
      load: () => Promise.reject(new Error('the database is not available')),
      save: async () => undefined,
      drop: async () => 0,
      claim: () => Promise.reject(new Error('the database is not available')),
    };
    const tokens = sealedTokens({ account: 'x', rows, key: () => openKey({ written: WRITTEN, file: '/none' }), log: silentLog });

    for (const work of [() => tokens.load(), () => tokens.areOthers(), () => tokens.alone(async () => 1)]) {
      const error: unknown = await work().catch((reason: unknown) => reason);
      expect(failureOf(error)).toMatchObject({ remedy: 'repeat', error: { fault: 'unreachable' } });
    }
  });

  test('that are renewed during the shutdown are saved', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'fanfare.sqlite');
    const key = () => openKey({ written: WRITTEN, file: '/none' });
    const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    {
      await using store = await openStore({ file });
      const tokens = sealedTokens({ account: 'x', rows: store.sealedRows, key, log: silentLog });
      void tokens.alone(async () => {
        begun.resolve();
        await answer.promise;
        await tokens.save({ refreshToken: 'next' });
      });
      await begun.promise;
      // The response arrives while the store is closed.
      setImmediate(() => answer.resolve());
    }
    await using store = await openStore({ file });

    expect(await sealedTokens({ account: 'x', rows: store.sealedRows, key, log: silentLog }).load()).toEqual({ refreshToken: 'next' });
  });

  test('are changed by one caller at a time, even in two processes', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'fanfare.sqlite');
    await using one = await openStore({ file });
    await using two = await openStore({ file });
    const key = () => openKey({ written: WRITTEN, file: '/none' });
    const all = [one, two, one, two].map((store) => sealedTokens({ account: 'x', rows: store.sealedRows, key, log: silentLog }));
    await all[0]?.save({ count: 0 });

    await Promise.all(
      all.map((tokens) =>
        tokens.alone(async () => {
          const kept = (await tokens.load()) as { readonly count: number }; // the saved object
          await new Promise((resolve) => setImmediate(resolve));
          await tokens.save({ count: kept.count + 1 });
        }),
      ),
    );

    expect(await all[1]?.load()).toEqual({ count: 4 });
  });
});
