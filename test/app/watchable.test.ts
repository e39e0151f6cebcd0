import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import { itemShape } from '#src/rules/shape/operation-shapes.ts';
import { keyReader } from '#src/rules/expression/item-key.ts';
import { watchKind } from '#src/rules/grammar/when-file.ts';
import { completeRecord } from '#src/engine/testing/world/sample-record.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';

const watchable = [...catalogue].filter(([, declared]) => watchKind(declared) !== undefined).map(([verb]) => verb);

test('each watchable operation has the kind that the rule language defines', () => {
  const kinds = Map.groupBy(watchable, (verb) => watchKind(catalogue.get(verb)));

  expect(Object.fromEntries([...kinds].map(([kind, verbs]) => [kind, verbs.toSorted()]))).toEqual({
    live: ['streaming.getStreams'],
    ranking: [
      'social.getSuggestedUsers',
      'social.getTrends',
      'social.search',
      'social.searchGifs',
      'streaming.getGameStreams',
      'streaming.getTopGames',
      'streaming.getTopStreams',
      'streaming.search',
    ],
    feed: [
      'discord.getMessages',
      'feed.getItems',
      'history.getDeliveries',
      'history.getEpisodes',
      'history.getTotals',
      'social.getCommunityPosts',
      'social.getHomeTimeline',
      'social.getListPosts',
      'social.getMentions',
      'social.getPostComments',
      'social.getPostNotifications',
      'social.getPosts',
      'social.getTopicPosts',
      'social.getUserMedia',
      'streaming.getFollowers',
      'streaming.getGameClips',
      'streaming.getGameVideos',
      'streaming.getUserClips',
      'streaming.getUserVideos',
    ],
    set: [
      'discord.getMembers',
      'discord.getVoiceMembers',
      'history.getOutages',
      'social.getBlockedUsers',
      'social.getBookmarks',
      'social.getCommunityMembers',
      'social.getInbox',
      'social.getListMember',
      'social.getLists',
      'social.getMutualFollowers',
      'social.getPostLikes',
      'social.getPostQuotes',
      'social.getPostReposts',
      'social.getScheduledPosts',
      'social.getUserFollowers',
      'social.getUserFollowings',
      'social.getUserHighlights',
      'social.getUserSubscribers',
      'streaming.getSchedule',
      'streaming.getTeamMembers',
    ],
    one: [
      'social.getCommunity',
      'social.getList',
      'social.getPostAnalytics',
      'social.getTopic',
      'social.getUserInfo',
      'social.postDetail',
      'streaming.getUser',
    ],
  });
});

test.for(watchable)('items of %s have different keys', (verb) => {
  const shape = itemShape(catalogue.get(verb));
  const made = (seed: string): JsonObject => {
    const record = completeRecord(shape, {
      seed,
      began: '2026-11-20T18:00:00Z',
      now: '2026-11-20T20:00:00Z',
      reportError: (error) => expect.fail(error),
    });
    return record as JsonObject; // an item is a record
  };
  const { key: keyOf } = keyReader(undefined, { site: { kind: 'item', names: { watch: verb, steps: {} } }, catalogue });

  const [ada, grace] = [keyOf(made('ada')), keyOf(made('grace'))];

  expect(ada).toEqual(expect.any(String));
  expect(grace).not.toBe(ada);
});
