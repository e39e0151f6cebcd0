import { expect, test } from 'vitest';
import { previewAccounts } from '#src/app/preview-accounts.ts';
import { createClients } from '#src/clients/clients.ts';
import { mastodon } from '#adapters/mastodon/index.ts';
import { openMastodon } from './open-mastodon.ts';

test('a preview knows which polls the server refuses', async () => {
  await using fixture = await openMastodon();
  const { url, token, clock } = fixture;
  const clients = createClients({ streaming: [], social: [mastodon({ url, token, clock })], discord: [] }, clock);
  const refusalOf = (options: readonly string[]) =>
    previewAccounts(clients).refusalOf?.('social.createPost', 'mastodon', { text: 'Chess?', poll: { options } });

  expect(await refusalOf(['yes', 'no'])).toBeUndefined();
  const refused = ['yes', 'n'.repeat(51)];
  await expect(fixture.social.createPost('Chess?', { poll: { options: refused } })).rejects.toThrow(await refusalOf(refused));
});
