import { expect, test } from 'vitest';
import { previewAccounts } from '#src/app/preview-accounts.ts';
import { messageOf } from '#src/errors.ts';
import { createClients } from '#src/clients/clients.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { openMastodon } from './open-mastodon.ts';

test('a preview knows which polls the server refuses', async () => {
  await using fixture = await openMastodon();
  const { url, token, clock } = fixture;
  const clients = createClients({ streaming: [], social: [mastodon({ url, token, clock })], discord: [] }, clock);
  const { signal } = new AbortController();
  const dryRun = (options: readonly string[]) =>
    previewAccounts(clients).dryRun?.('social.createPost', 'mastodon', { text: 'Chess?', poll: { options } }, signal);

  expect(await dryRun(['yes', 'no'])).toHaveProperty('params');
  const refused = ['yes', 'n'.repeat(51)];
  const error: unknown = await fixture.social.createPost('Chess?', { poll: { options: refused } }).catch((reason: unknown) => reason);
  expect(await dryRun(refused)).toEqual({ refusal: messageOf(error) });
});
