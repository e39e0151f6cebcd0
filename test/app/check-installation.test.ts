import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { checkInstallation } from '#src/app/check-installation.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PLANTED = 'tr0ub4dor-0123456789';

/** The folders of an installation, until the end of the test. */
function openFolders(): { readonly rules: string; readonly environment: Readonly<Record<string, string>> } {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const rules = join(folder.path, 'rules');
  mkdirSync(rules);
  return { rules, environment: { FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: rules } };
}

test('the installation is checked with its accounts, without their secrets', async () => {
  const sandbox = await startSandbox({});
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const { environment } = openFolders();
  // A result names this folder.
  const variables = {
    ...environment,
    FANFARE_DATA: join(environment['FANFARE_DATA'] ?? '', PLANTED),
    ...sandbox.onRequest['mastodon'],
    MASTODON_TOKEN: PLANTED,
  };

  const results = await checkInstallation(variables, AbortSignal.timeout(30_000));

  expect(results.filter(({ about }) => about === 'mastodon')).toMatchObject([{ state: 'bad' }]);
  expect(results.map(({ about }) => about)).toContain('the clock');
  expect(JSON.stringify(results)).not.toContain(PLANTED);
});

test('a wrong configuration is a check', async () => {
  const { environment } = openFolders();

  const results = await checkInstallation({ ...environment, PORT: 'none' }, AbortSignal.timeout(30_000));

  expect(results).toEqual([{ about: 'the configuration', state: 'bad', what: expect.stringContaining('PORT'), remedy: undefined }]);
});

test('each mistake in fanfare.yaml has its line', async () => {
  const { rules, environment } = openFolders();
  const file = join(rules, '..', 'fanfare.yaml');
  writeFileSync(file, 'defaults: {}\ndefalts: {}\nbudgts: {}\n');

  const results = await checkInstallation(environment, AbortSignal.timeout(30_000));

  expect(results).toMatchObject(
    ['2:1: defalts', '3:1: budgts'].map((what) => ({
      state: 'bad',
      what: expect.stringContaining(`fanfare.yaml:${what}: unknown key`) as unknown,
    })),
  );
});
