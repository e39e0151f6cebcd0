import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSignIn } from '#src/app/open-sign-in.ts';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = { name: 'root', via: 'cli', role: 'admin' } as const;

/** Signs in to Bluesky as `fanfare auth bluesky` does, once. */
async function signIn({ onRequest }: Sandbox, dataDirectory: string, password: string): Promise<string> {
  const { BLUESKY_APP_PASSWORD: _, ...environment } = onRequest['bluesky'] ?? {};
  await using signingIn = await openSignIn({ environment: { ...environment, FANFARE_DATA: dataDirectory }, write: () => undefined });
  const [account] = signingIn.accounts;
  if (!account) throw new Error('no account of Bluesky');
  const result = await signingIn.signInAccount({ account: account.account, password, port: 8082 }, ROOT);
  return 'who' in result ? result.who : '';
}

test('a typed password is used although a session is stored', async () => {
  await using sandbox = await startSandbox({});
  using folder = temporaryFolder();
  const password = sandbox.onRequest['bluesky']?.['BLUESKY_APP_PASSWORD'] ?? '';
  await signIn(sandbox, folder.path, password);

  await expect(signIn(sandbox, folder.path, 'wron-gone-wron-gone')).rejects.toMatchObject({ fault: 'unauthorized' });
  expect(await signIn(sandbox, folder.path, password)).toContain('signed in as @');
});

test('a new sign-in works after the key is lost', async () => {
  await using sandbox = await startSandbox({});
  using folder = temporaryFolder();
  const password = sandbox.onRequest['bluesky']?.['BLUESKY_APP_PASSWORD'] ?? '';
  await signIn(sandbox, folder.path, password);
  rmSync(join(folder.path, 'key'));

  expect(await signIn(sandbox, folder.path, password)).toContain('signed in as @');
});
