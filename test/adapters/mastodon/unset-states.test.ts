import { describe, expect, test } from 'vitest';
import type { SocialAsync } from '#src/clients/social/social.ts';
import type { Exchange } from '../../support/script-http.ts';
import { accountRow, ME, scriptMastodon, statusRow } from './script-mastodon.ts';

const LOOKUP: Exchange = ['GET /api/v1/accounts/lookup?acct=ada', { json: accountRow('2', 'ada') }];
const NAME = 'name' as const;

async function attempt(steps: readonly Exchange[], operation: (social: SocialAsync) => Promise<unknown>): Promise<unknown> {
  await using scripted = await scriptMastodon(steps);
  return await operation(scripted.social).catch((error: unknown) => error);
}

describe('a server that answers 200 and does not set the state of a relationship', () => {
  const asked = (row: object): Exchange => ['GET /api/v1/accounts/relationships?id%5B%5D=2', { json: [{ id: '2', ...row }] }];
  const change = (verb: string, row: object): Exchange => [`POST /api/v1/accounts/2/${verb}`, { json: { id: '2', ...row } }];

  const CASES = [
    ['followUser', 'follow', { following: false }, { following: true }],
    ['blockUser', 'block', { blocking: false }, { blocking: true }],
    ['enableUserNotification', 'follow', { following: true, notifying: false }, { following: true, notifying: true }],
    ['disableUserNotification', 'follow', { following: true, notifying: true }, { following: true, notifying: false }],
  ] as const;

  test.for(CASES)('%s fails', async ([operation, verb, without]) => {
    const error = await attempt([LOOKUP, asked(without), change(verb, without), asked(without)], (social) => social[operation]('ada'));

    expect(error).toMatchObject({ name: 'PlatformError', fault: 'rejected' });
  });

  test.for(CASES)('%s succeeds if a later read has the state', async ([operation, verb, without, set]) => {
    const result = await attempt([LOOKUP, asked(without), change(verb, without), asked(set)], (social) => social[operation]('ada'));

    expect(result).not.toHaveProperty(NAME, 'PlatformError');
  });

  test('a follow that the user must approve succeeds', async () => {
    const steps = [LOOKUP, asked({ following: false }), change('follow', { following: false, requested: true })];

    expect(await attempt(steps, (social) => social.followUser('ada'))).toMatchObject({ handle: 'ada' });
  });
});

describe('a server that answers 200 and does not set the state of a status', () => {
  const asked = (row: object): Exchange => ['GET /api/v1/statuses/9', { json: statusRow('9', row) }];

  const CASES = [
    ['likePost', 'favourite', 'favourited'],
    ['repostPost', 'reblog', 'reblogged'],
    ['bookmarkPost', 'bookmark', 'bookmarked'],
    ['pinPost', 'pin', 'pinned'],
  ] as const;

  test.for(CASES)('%s fails', async ([operation, verb, name]) => {
    const without = { [name]: false };
    const answer: Exchange = [`POST /api/v1/statuses/9/${verb}`, { json: statusRow('9', without) }];

    expect(await attempt([asked(without), answer, asked(without)], (social) => social[operation]('9'))).toMatchObject({
      name: 'PlatformError',
      fault: 'rejected',
    });
    expect(await attempt([asked(without), answer, asked({ [name]: true })], (social) => social[operation]('9'))).toBe(true);
  });

  test.for(CASES)('%s succeeds if the answer does not state it, or states it of the original', async ([operation, verb, name]) => {
    const unstated: Exchange = [`POST /api/v1/statuses/9/${verb}`, { json: { id: '10' } }];
    const ofOriginal: Exchange = [`POST /api/v1/statuses/9/${verb}`, { json: { id: '10', [name]: false, reblog: { [name]: true } } }];

    for (const answer of [unstated, ofOriginal]) {
      expect(await attempt([asked({ [name]: false }), answer], (social) => social[operation]('9'))).toBe(true);
    }
  });

  test('votePoll fails', async () => {
    const poll = { id: '5', multiple: false, voted: false, own_votes: [], options: [{ title: 'a' }, { title: 'b' }] };
    const answer: Exchange = ['POST /api/v1/polls/5/votes', { json: poll }];

    expect(await attempt([asked({ poll }), answer, asked({ poll })], (social) => social.votePoll('9', [1]))).toMatchObject({
      fault: 'rejected',
    });
  });
});

describe('a server that answers 200 and does not change a list', () => {
  const list = { id: '7', title: 'Runners' };
  const READ: Exchange = ['GET /api/v1/lists/7', { json: list }];
  const lists = (rows: readonly object[]): Exchange => ['GET /api/v1/accounts/2/lists', { json: rows }];
  const members = (...rows: readonly object[]): Exchange => ['GET /api/v1/lists/7/accounts?limit=80', { json: rows }];
  const removal: Exchange = ['DELETE /api/v1/lists/7/accounts?account_ids%5B%5D=2', { json: {} }];
  const ada = accountRow('2', 'ada');

  test('removeListMember fails if the list still has the member', async () => {
    const stays = Array.from({ length: 10 }, () => [removal, members(ada)]).flat();

    expect(await attempt([LOOKUP, ...stays], (social) => social.removeListMember('7', 'ada'))).toMatchObject({ fault: 'rejected' });
  });

  test('removeListMember has the id in the query and in the body', async () => {
    await using scripted = await scriptMastodon([LOOKUP, removal, members(), READ, ME]);

    await scripted.social.removeListMember('7', 'ada');

    expect(JSON.parse(scripted.server.seen[1]?.body ?? '')).toEqual({ account_ids: ['2'] });
  });

  test('addListMember fails', async () => {
    const added: Exchange = ['POST /api/v1/lists/7/accounts', { json: {} }];

    expect(await attempt([LOOKUP, lists([]), added, members()], (social) => social.addListMember('7', 'ada'))).toMatchObject({
      fault: 'rejected',
    });
    expect(await attempt([LOOKUP, lists([]), added, members(ada), READ, ME], (social) => social.addListMember('7', 'ada'))).toMatchObject({
      id: '7',
    });
  });
});
