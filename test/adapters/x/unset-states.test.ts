import { expect, test } from 'vitest';
import type { Exchange } from '../../support/script-http.ts';
import { ME, one, scriptX, userRow } from './script-x.ts';

const ADA: Exchange = ['GET /2/users/by/username/ada', one(userRow('ada', { id: '42' }))];

test.for([
  ['likePost', 'POST /2/users/7/likes', { liked: false }],
  ['unlikePost', 'DELETE /2/users/7/likes/9', { liked: true }],
  ['repostPost', 'POST /2/users/7/retweets', { retweeted: false }],
  ['deleteRepost', 'DELETE /2/users/7/retweets/9', { retweeted: true }],
  ['bookmarkPost', 'POST /2/users/7/bookmarks', { bookmarked: false }],
  ['unbookmarkPost', 'DELETE /2/users/7/bookmarks/9', { bookmarked: true }],
] as const)('%s fails if X states the opposite', async ([operation, line, data]) => {
  await using x = await scriptX([ME, [line, one(data)]]);

  await expect(x.social[operation]('9')).rejects.toMatchObject({ fault: 'rejected' });
});

test.for([
  ['followUser', 'POST /2/users/7/following', { following: false, pending_follow: false }],
  ['unfollowUser', 'DELETE /2/users/7/following/42', { following: true }],
] as const)('%s fails if X states the opposite', async ([operation, line, data]) => {
  await using x = await scriptX([ME, ADA, [line, one(data)]]);

  await expect(x.social[operation]('ada')).rejects.toMatchObject({ fault: 'rejected' });
});

test('a follow that the user must approve succeeds', async () => {
  await using x = await scriptX([ME, ADA, ['POST /2/users/7/following', one({ following: false, pending_follow: true })]]);

  expect(await x.social.followUser('ada')).toMatchObject({ handle: 'ada' });
});
