import { describe, expect, test } from 'vitest';
import { tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { accountRow, scriptMastodon, statusRow } from './script-mastodon.ts';

const READ = 'GET /api/v1/statuses/9';
const GOOD = [READ, { json: statusRow('9') }] as const;
const REFUSED = [READ, { status: 401, json: { error: 'The access token is invalid' } }] as const;

describe('the token', () => {
  test('comes from the stored sign-in', async () => {
    const tokens = tokensInMemory({ accessToken: 'kept-secret', scopes: ['read'] });
    await using scripted = await scriptMastodon([GOOD], { token: undefined, tokens });

    await scripted.social.postDetail('9');

    expect(scripted.server.seen[0]?.headers.authorization).toBe('Bearer kept-secret');
  });

  test('that replaced the old one is used after the old one is refused', async () => {
    const tokens = tokensInMemory({ accessToken: 'old-secret' });
    await using scripted = await scriptMastodon([GOOD, REFUSED, GOOD], { token: undefined, tokens });
    await scripted.social.postDetail('9');
    await tokens.save({ accessToken: 'new-secret', scopes: [] });

    const post = await scripted.social.postDetail('9');

    expect(post.id).toBe('9');
    expect(scripted.server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer old-secret',
      'Bearer old-secret',
      'Bearer new-secret',
    ]);
  });

  test('of another account changes the signed-in account', async () => {
    const tokens = tokensInMemory({ accessToken: 'old-secret' });
    const whoAmI = (id: string) => ['GET /api/v1/accounts/verify_credentials', { json: accountRow(id, `u${id}`) }] as const;
    await using scripted = await scriptMastodon([GOOD, whoAmI('1'), REFUSED, GOOD, whoAmI('2')], { token: undefined, tokens });

    await expect(scripted.social.getPostAnalytics('9')).rejects.toMatchObject({ fault: 'rejected' });
    await tokens.save({ accessToken: 'new-secret' });

    expect(await scripted.social.getPostAnalytics('9')).toMatchObject({ postId: '9' });
  });

  test('that is no longer valid is an error with advice', async () => {
    await using scripted = await scriptMastodon([REFUSED], { account: 'club' });

    const error: unknown = await scripted.social.postDetail('9').catch((reason: unknown) => reason);

    expect(error).toMatchObject({ fault: 'unauthorized', message: expect.stringMatching(/token of club.*fanfare auth club/) });
    expect(String(error)).not.toContain('tr0ub4dor');
  });

  test('of one server is not sent to another', async () => {
    const tokens = tokensInMemory({ accessToken: 'kept-secret', scopes: ['read'], url: 'https://social.example' });
    await using scripted = await scriptMastodon([], { token: undefined, tokens });

    await expect(scripted.social.postDetail('9')).rejects.toMatchObject({
      fault: 'unauthorized',
      message: expect.stringMatching(/fanfare auth mastodon/),
    });
  });

  test('that is missing is an error before any request', async () => {
    await using scripted = await scriptMastodon([], { token: undefined, tokens: tokensInMemory() });

    await expect(scripted.social.postDetail('9')).rejects.toMatchObject({
      fault: 'unauthorized',
      message: expect.stringMatching(/fanfare auth mastodon/),
    });
  });

  test('without the scope is an error that names the scope', async () => {
    await using scripted = await scriptMastodon([
      ['GET /api/v1/statuses/9', { json: statusRow('9') }],
      ['POST /api/v1/statuses/9/bookmark', { status: 403, json: { error: 'This action is outside the authorized scopes' } }],
    ]);

    await expect(scripted.social.bookmarkPost('9')).rejects.toMatchObject({
      fault: 'forbidden',
      message: expect.stringContaining('write:bookmarks'),
    });
  });
});

describe('limits', () => {
  test('have the instant of the reset in the error', async () => {
    await using scripted = await scriptMastodon([
      [
        READ,
        {
          status: 429,
          json: { error: 'Throttled' },
          headers: { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-11-20T18:04:00.000000Z' },
        },
      ],
    ]);

    await expect(scripted.social.postDetail('9')).rejects.toMatchObject({
      fault: 'rateLimited',
      retryAt: new Date('2026-11-20T18:04:00Z'),
    });
  });
});
