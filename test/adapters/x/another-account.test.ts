import { expect, test } from 'vitest';
import { createPost } from '#src/clients/social/posts.ts';
import { tokensInMemory, type AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { recover } from '../../contract/social-fixture.ts';
import { one, postRow, rows, scriptX, SIGNED_IN, userRow } from './script-x.ts';

const reposted = { json: { data: { retweeted: true } } };

/** Tokens that a new sign-in can replace. */
function sharedTokens(first?: object): AccountTokens & { readonly signIn: (tokens: object) => Promise<void> } {
  const kept = tokensInMemory(first);
  let others = false;
  return {
    ...kept,
    async load() {
      others = false;
      return kept.load();
    },
    areOthers: async () => others,
    async signIn(tokens) {
      await kept.save(tokens);
      others = true;
    },
  };
}

test('after a sign-in as another account, writes and reconciliation use that account', async () => {
  const tokens = sharedTokens(SIGNED_IN);
  const others = { ...SIGNED_IN, accessToken: 'access-9', refreshToken: 'refresh-9' };
  const written = postRow('1990000000000000001', { text: 'We are live', author_id: '9', created_at: '2026-11-20T18:00:05.000Z' });
  await using x = await scriptX(
    [
      ['GET /2/users/me', one(userRow('ada', { id: '7' }))],
      ['POST /2/users/7/retweets', reposted],
      ['POST /2/users/7/retweets', reposted],
      ['GET /2/users/me', one(userRow('grace', { id: '9' }))],
      ['POST /2/users/9/retweets', reposted],
      ['GET /2/users/9/tweets?max_results=20&start_time=2026-11-20T17:59:00Z', rows([written])],
    ],
    { tokens },
  );

  await x.social.repostPost('5');
  await x.social.repostPost('6');
  await tokens.signIn(others);
  await x.social.repostPost('5');
  const since = new Date('2026-11-20T18:00:00Z');
  const recovery = await recover(x.social, createPost.declared, { text: 'We are live' }, { key: 'k', since });

  expect(recovery).toMatchObject({ found: { id: '1990000000000000001' } });
  expect(x.server.seen.map(({ headers }) => headers.authorization)).toEqual([
    ...Array.from({ length: 3 }, () => 'Bearer access-1'),
    ...Array.from({ length: 3 }, () => 'Bearer access-9'),
  ]);
});

test('after a renewal, the account is not read again', async () => {
  const renewal = { json: { token_type: 'bearer', access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 7200 } };
  await using x = await scriptX([
    ['GET /2/users/me', one(userRow('ada', { id: '7' }))],
    ['POST /2/users/7/retweets', reposted],
    ['POST /2/oauth2/token', renewal],
    ['POST /2/users/7/retweets', reposted],
  ]);

  await x.social.repostPost('5');
  x.clock.set('2026-11-20T19:58:00Z');
  await x.social.repostPost('6');

  expect(x.server.seen.at(-1)?.headers.authorization).toBe('Bearer access-2');
});

test('a sign-in takes precedence over keys', async () => {
  const tokens = sharedTokens();
  const keys = { apiKey: 'key', apiSecret: 'secret', accessToken: 'token', accessSecret: 'secret' };
  await using x = await scriptX(
    [
      ['GET /2/users/me', one(userRow('ada', { id: '7' }))],
      ['POST /2/users/7/retweets', reposted],
      ['GET /2/users/me', one(userRow('grace', { id: '9' }))],
      ['POST /2/users/9/retweets', reposted],
    ],
    { tokens, ...keys },
  );

  await x.social.repostPost('5');
  await tokens.signIn(SIGNED_IN);
  await x.social.repostPost('5');

  expect(x.server.seen.at(-1)?.headers.authorization).toBe('Bearer access-1');
});
