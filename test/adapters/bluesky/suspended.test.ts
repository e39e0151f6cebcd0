import { expect, test } from 'vitest';
import type { SocialAsync } from '#src/clients/social/social.ts';
import { DID, refused, scriptBluesky, session } from './script-bluesky.ts';

const kept = (url: string): object => session(1, url);
const did = encodeURIComponent(DID);
const AUTHOR_FEED = `GET /xrpc/app.bsky.feed.getAuthorFeed?limit=100&actor=${did}&filter=posts_no_replies`;
const PROFILE = `GET /xrpc/app.bsky.actor.getProfile?actor=${did}`;
const lists: readonly (readonly [string, string, (social: SocialAsync) => PromiseLike<unknown>])[] = [
  [AUTHOR_FEED, 'feed', (social) => social.getPosts(DID)],
  [AUTHOR_FEED.replace('no_replies', 'with_media'), 'feed', (social) => social.getUserMedia(DID)],
  [`GET /xrpc/app.bsky.graph.getFollowers?limit=100&actor=${did}`, 'followers', (social) => social.getUserFollowers(DID)],
  [`GET /xrpc/app.bsky.graph.getFollows?limit=100&actor=${did}`, 'follows', (social) => social.getUserFollowings(DID)],
  [`GET /xrpc/app.bsky.graph.getKnownFollowers?limit=100&actor=${did}`, 'followers', (social) => social.getMutualFollowers(DID)],
];

test.for(lists)('an empty or missing list of a suspended account is an error with the reason: %s', async ([line, rows, read]) => {
  const suspended = refused(400, 'AccountTakedown', 'Account has been suspended');
  await using scripted = await scriptBluesky(
    [
      [line, { json: { [rows]: [] } }],
      [PROFILE, suspended],
      [line, refused(400, 'InvalidRequest', 'Profile not found')],
      [PROFILE, suspended],
      [line, { json: { [rows]: [] } }],
      [PROFILE, { json: { did: DID, handle: 'ada.test' } }],
    ],
    { kept },
  );

  const expected = { fault: 'forbidden', message: expect.stringContaining('deactivated, suspended or taken down') };
  await expect(read(scripted.social)).rejects.toMatchObject(expected);
  await expect(read(scripted.social)).rejects.toMatchObject(expected);
  await expect(read(scripted.social)).resolves.toHaveLength(0);
});

test('the posts of a list that does not exist are an error, and no empty list', async () => {
  const uri = 'at://did:plc:grace/app.bsky.graph.list/1';
  const list = encodeURIComponent(uri);
  await using scripted = await scriptBluesky(
    [
      [`GET /xrpc/app.bsky.feed.getListFeed?limit=100&list=${list}`, { json: { feed: [] } }],
      [`GET /xrpc/app.bsky.graph.getList?list=${list}&limit=1`, refused(400, 'InvalidRequest', 'List not found')],
    ],
    { kept },
  );

  await expect(scripted.social.getListPosts(uri)).rejects.toMatchObject({ fault: 'missing', message: `bluesky: there is no list ${uri}.` });
});
