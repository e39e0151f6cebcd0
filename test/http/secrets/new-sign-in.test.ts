import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bluesky } from '#adapters/bluesky/index.ts';
import { silentLog } from '#src/log.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { sealedTokens } from '#src/http/secrets/sealed-tokens.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { DID, session } from '../../adapters/bluesky/script-bluesky.ts';
import { scriptMastodon, statusRow } from '../../adapters/mastodon/script-mastodon.ts';
import { ME, scriptX, SIGNED_IN } from '../../adapters/x/script-x.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { scriptHttp, type Exchange, type ScriptedHttp } from '../../support/script-http.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEY = createHash('sha256').update('a key for tests').digest();

/** A database as a running bot and a command have it open at the same time. */
async function opened(): Promise<{ readonly bot: AccountTokens; readonly command: AccountTokens } & AsyncDisposable> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  const [bot, command] = [await openStore({ file }), await openStore({ file })];
  const tokensIn = ({ sealedRows: rows }: Store): AccountTokens =>
    sealedTokens({ account: 'account', rows, key: () => Promise.resolve(KEY), log: silentLog });
  return {
    bot: tokensIn(bot),
    command: tokensIn(command),
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await command[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function authorizationsSentTo({ seen }: ScriptedHttp): readonly (string | undefined)[] {
  return seen.map(({ headers }) => headers.authorization);
}

test('a new sign-in to X is used by the next request of a running bot', async () => {
  await using tokens = await opened();
  await tokens.bot.save(SIGNED_IN);
  await using scripted = await scriptX([ME, ME, ME], { tokens: tokens.bot });

  await scripted.social.getUserInfo();
  await tokens.command.save({ ...SIGNED_IN, accessToken: 'access-2', refreshToken: 'refresh-2' });
  await scripted.social.getUserInfo();
  await scripted.social.getUserInfo();

  expect(authorizationsSentTo(scripted.server)).toEqual(['Bearer access-1', 'Bearer access-2', 'Bearer access-2']);
});

test('a new sign-in to X is not overwritten by an earlier renewal that could not be stored', async () => {
  await using tokens = await opened();
  await tokens.bot.save({ ...SIGNED_IN, expiresAt: '2026-11-20T18:04:00Z' });
  let full = true;
  const failing: AccountTokens = {
    ...tokens.bot,
    save: (next) => (full ? Promise.reject(new Error('the disk is full')) : tokens.bot.save(next)),
  };
  const renewed = { json: { access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 7200 } };
  await using scripted = await scriptX([['POST /2/oauth2/token', renewed], ME], { tokens: failing });

  await expect(scripted.social.getUserInfo()).rejects.toThrow('the disk is full');
  full = false;
  await tokens.command.save({ ...SIGNED_IN, accessToken: 'access-3' });
  await scripted.social.getUserInfo();

  expect(authorizationsSentTo(scripted.server).at(-1)).toBe('Bearer access-3');
  expect(await tokens.command.load()).toMatchObject({ accessToken: 'access-3' });
});

test('a renewal that could not be stored is dropped with its sign-in', async () => {
  await using tokens = await opened();
  await tokens.bot.save({ ...SIGNED_IN, expiresAt: '2026-11-20T18:04:00Z' });
  let full = true;
  const failing: AccountTokens = {
    ...tokens.bot,
    save: (next) => (full ? Promise.reject(new Error('the disk is full')) : tokens.bot.save(next)),
  };
  const renewed = (number: number): Exchange => [
    'POST /2/oauth2/token',
    { json: { access_token: `access-${number}`, refresh_token: `refresh-${number}`, expires_in: 7200 } },
  ];
  await using scripted = await scriptX([renewed(2), ME, renewed(4), ME], { tokens: failing });

  await expect(scripted.social.getUserInfo()).rejects.toThrow('the disk is full');
  full = false;
  await tokens.command.save({ ...SIGNED_IN, accessToken: 'access-3', refreshToken: 'refresh-3' });
  await scripted.social.getUserInfo();
  await scripted.clock.advance(2 * 60 * 60_000);
  await scripted.social.getUserInfo();

  expect(scripted.server.seen.map(({ body }) => new URLSearchParams(String(body)).get('refresh_token')).filter(Boolean)).toEqual([
    'refresh-1',
    'refresh-3',
  ]);
  expect(await tokens.command.load()).toMatchObject({ accessToken: 'access-4' });
});

test('a new sign-in to Mastodon is used by the next request of a running bot', async () => {
  await using tokens = await opened();
  await tokens.bot.save({ accessToken: 'access-1' });
  const read: Exchange = ['GET /api/v1/statuses/9', { json: statusRow('9') }];
  await using scripted = await scriptMastodon([read, read, read], { token: undefined, tokens: tokens.bot });

  await scripted.social.postDetail('9');
  await tokens.command.save({ accessToken: 'access-2' });
  await scripted.social.postDetail('9');
  await scripted.social.postDetail('9');

  expect(authorizationsSentTo(scripted.server)).toEqual(['Bearer access-1', 'Bearer access-2', 'Bearer access-2']);
});

test('a new sign-in that cannot be decrypted is an error each time, and the earlier one is not used instead', async () => {
  using folder = temporaryFolder();
  await using store = await openStore({ file: join(folder.path, 'fanfare.sqlite') });
  const under = (key: Buffer): AccountTokens =>
    sealedTokens({ account: 'account', rows: store.sealedRows, key: () => Promise.resolve(key), log: silentLog });
  const [bot, command] = [under(KEY), under(createHash('sha256').update('another key').digest())];
  await bot.save({ accessToken: 'access-1' });
  const read: Exchange = ['GET /api/v1/statuses/9', { json: statusRow('9') }];
  await using scripted = await scriptMastodon([read, read], { token: undefined, tokens: bot });

  await scripted.social.postDetail('9');
  await command.save({ accessToken: 'access-2' });
  await expect(scripted.social.postDetail('9')).rejects.toThrow('npx fanfare auth account');
  await expect(scripted.social.postDetail('9')).rejects.toThrow('npx fanfare auth account');
  await under(KEY).save({ accessToken: 'access-3' });
  await scripted.social.postDetail('9');

  expect(authorizationsSentTo(scripted.server)).toEqual(['Bearer access-1', 'Bearer access-3']);
});

test('a new sign-in to Bluesky is used by the next request of a running bot', async () => {
  await using tokens = await opened();
  const read: Exchange = [
    `GET /xrpc/app.bsky.actor.getProfile?actor=${encodeURIComponent(DID)}`,
    { json: { did: DID, handle: 'ada.test', displayName: 'Ada' } },
  ];
  await using server = await scriptHttp([read, read, read]);
  await tokens.bot.save(session(1, server.url));
  await using platform = bluesky({ url: server.url, handle: 'ada.test', tokens: tokens.bot, clock: new ManualClock() });
  const social = new SocialAsync({ platform });

  await social.getUserInfo();
  await tokens.command.save(session(2, server.url));
  await social.getUserInfo();
  await social.getUserInfo();

  expect(authorizationsSentTo(server)).toEqual(['Bearer access-1', 'Bearer access-2', 'Bearer access-2']);
});

test('after a sign-out, a running bot sends nothing with the tokens of X or Bluesky', async () => {
  await using ofX = await opened();
  await ofX.bot.save(SIGNED_IN);
  await using x = await scriptX([ME], { tokens: ofX.bot });
  await using ofBluesky = await opened();
  await using server = await scriptHttp([
    [
      `GET /xrpc/app.bsky.actor.getProfile?actor=${encodeURIComponent(DID)}`,
      { json: { did: DID, handle: 'ada.test', displayName: 'Ada' } },
    ],
  ]);
  await ofBluesky.bot.save(session(1, server.url));
  await using platform = bluesky({ url: server.url, handle: 'ada.test', tokens: ofBluesky.bot, clock: new ManualClock() });
  const social = new SocialAsync({ platform });
  await x.social.getUserInfo();
  await social.getUserInfo();

  expect([await ofX.command.drop(), await ofBluesky.command.drop(), await ofX.command.drop()]).toEqual([1, 1, 0]);
  await expect(x.social.getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized' });
  await expect(social.getUserInfo()).rejects.toMatchObject({ fault: 'unauthorized' });
  expect([x.server.seen.length, server.seen.length]).toEqual([1, 1]);
});
