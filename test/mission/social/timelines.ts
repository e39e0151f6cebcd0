import { expect } from 'vitest';
import { HOME_TIMELINE_TYPE_FOLLOWING, HOME_TIMELINE_TYPE_FOR_YOU, SearchFilter, type HomeTimelineType } from '#src/social/enumerations.ts';
import type { GetHomeTimelineOptions } from '#src/social/timelines.ts';
import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';
import type { StoredPost } from '#sandbox/social/posts.ts';
import { answers, one, row, walks, type Row } from '../rows.ts';
import type { SocialGround } from './ground.ts';
import { ME } from './installation/past.ts';
import { factsOf, followersOf, followingsOf, hearsSinceMs, partedFromMe, seenPerson } from './world/people.ts';
import { isStart, mostLiked, postFacts, posts, seenPost, timeline } from './world/posts.ts';

const PAGE = 20;
const HOUR_MS = 3_600_000;
const TRENDS = 20;

function seenFound(item: Post | User): unknown {
  return 'author' in item ? seenPost(item) : seenPerson(item);
}

/** The posts with a word, whatever the case. */
function postsContaining(ground: SocialGround, word: string): readonly StoredPost[] {
  return posts(ground).filter(({ text }) => text.toLowerCase().includes(word));
}

/** The posts with the very hashtag. */
function tagged(ground: SocialGround, tag: string): readonly StoredPost[] {
  return posts(ground).filter(({ text }) => tagsIn(text).some((found) => found.toLowerCase() === tag));
}

function tagsIn(text: string): readonly string[] {
  return text.split(/\s+/).flatMap((word) => /^#[\p{L}\p{N}_]+/u.exec(word) ?? []);
}

function peopleCalled(ground: SocialGround, word: string): readonly unknown[] {
  const parted = partedFromMe(ground);
  const found = ground.people.all.filter(
    ({ id, handle, displayName, bio }) => !parted.has(id) && `${handle}\n${displayName}\n${bio}`.toLowerCase().includes(word),
  );
  const followers = new Map(found.map(({ id }) => [id, followersOf(ground, id).length]));
  const best = found.toSorted((a, b) => (followers.get(b.id) ?? 0) - (followers.get(a.id) ?? 0));
  return factsOf(
    ground,
    best.map(({ id }) => id),
  );
}

function isOurs(ground: SocialGround): (post: StoredPost) => boolean {
  const followed = new Set([...followingsOf(ground, ME), ME]);
  return ({ authorId }) => followed.has(authorId);
}

/** What fits best: each doubling of its liking is worth six hours, and to be followed five doublings. */
function forYou(ground: SocialGround): readonly unknown[] {
  const ours = isOurs(ground);
  const all = posts(ground).filter((post) => isStart(post) && (post.community === undefined || post.onTimeline === true));
  const hours = (post: StoredPost): number =>
    post.createdAtMs / HOUR_MS + 6 * (Math.log2(1 + post.likes + 3 * post.reposts) + (ours(post) ? 5 : 0));
  return all
    .map((post) => ({ post, hours: hours(post) }))
    .toSorted((a, b) => b.hours - a.hours)
    .map(({ post }) => postFacts(post));
}

function mentions(ground: SocialGround): readonly unknown[] {
  return posts(ground).flatMap((post) => (post.authorId !== ME && /@fanfare\b/i.test(post.text) ? [postFacts(post)] : []));
}

function bookmarks(ground: SocialGround): readonly unknown[] {
  const all = ground.store.all('social.bookmarks') as unknown as readonly { userId: string; postId: string; number: number }[]; // as the platform wrote them
  const mine = all.filter(({ userId }) => userId === ME).toSorted((a, b) => b.number - a.number);
  const byId = new Map(posts(ground).map((post) => [post.id, post]));
  return mine.flatMap(({ postId }) => byId.get(postId) ?? []).map(postFacts);
}

function notifications(ground: SocialGround): readonly unknown[] {
  const authors = new Set(posts(ground).map(({ authorId }) => authorId));
  const since = new Map([...authors].map((id) => [id, hearsSinceMs(ground, ME, id)]));
  return posts(ground).flatMap((post) =>
    isStart(post) && post.createdAtMs >= (since.get(post.authorId) ?? Infinity) ? [postFacts(post)] : [],
  );
}

/** The hashtags of the last day: in how many posts, and how they were spelt last. */
function trends(ground: SocialGround): readonly unknown[] {
  const today = posts(ground).filter(({ createdAtMs }) => createdAtMs > ground.nowMs - 24 * HOUR_MS);
  const uses = today.flatMap((post) => [...new Map(tagsIn(post.text).map((name) => [name.toLowerCase(), name]))]);
  const counted = [...Map.groupBy(uses, ([tag]) => tag)].map(([tag, all]) => ({ tag, name: all[0]?.[1], postCount: all.length }));
  const best = counted.toSorted((a, b) => b.postCount - a.postCount || a.tag.localeCompare(b.tag));
  return best.slice(0, TRENDS).map(({ name, postCount }, index) => ({ rank: index + 1, kind: 'hashtag', name, postCount }));
}

/** The pictures whose words begin with `d`: what dances, and the dogs. */
function gifsOfD(): readonly unknown[] {
  const actors = ['cat', 'dog', 'wizard', 'knight', 'robot', 'ghost', 'gamer', 'chess player'];
  const moods = ['Happy', 'Sad', 'Excited', 'Tired', 'Proud', 'Confused', 'Dancing', 'Waving'];
  const titles = moods.flatMap((mood) => actors.map((actor) => `${mood} ${actor}`)).filter((title) => /\bd/i.test(title));
  return titles.flatMap((title) => [1, 2, 3].map((take) => ({ id: `${title.toLowerCase().replaceAll(' ', '-')}-${take}`, title })));
}

function searched(
  form: string,
  keyword: string,
  filter: 'People' | 'Latest' | 'Media' | undefined,
  holds: (ground: SocialGround) => readonly unknown[],
) {
  const chosen = filter === undefined ? {} : { filter };
  return walks(
    { [form]: () => keyword },
    {
      get: ({ client }: SocialGround, word, walk) => client.search(word, { ...walk, ...chosen }),
      iter: ({ client }: SocialGround, word, walk) => client.iterSearch(word, { ...walk, ...chosen }),
      holds,
      seen: seenFound,
      page: PAGE,
    },
  );
}

export function timelineRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'search',
      searched('keyword: a hashtag', '#SpeedRun', undefined, (ground) => mostLiked(ground, tagged(ground, '#speedrun')).map(postFacts)),
      searched('keyword: a word', 'Patch Day', undefined, (ground) =>
        mostLiked(ground, postsContaining(ground, 'patch day')).map(postFacts),
      ),
      searched('filter_: Latest', '#speedrun', SearchFilter.Latest, (ground) => tagged(ground, '#speedrun').map(postFacts)),
      searched('filter_: Media', 'the', SearchFilter.Media, (ground) =>
        mostLiked(
          ground,
          postsContaining(ground, 'the').filter(({ media }) => media.length > 0),
        ).map(postFacts),
      ),
      searched('filter_: People', 'bison', SearchFilter.People, (ground) => peopleCalled(ground, 'bison')),
      one({
        form: 'filter_: Lists',
        async prove({ client }) {
          await expect(client.search('a', { filter: SearchFilter.Lists })).rejects.toMatchObject({
            name: 'UnsupportedParameter',
            parameter: 'filter',
          });
        },
      }),
    ),
    row<SocialGround>(
      'get_trends',
      answers(
        { 'no argument': () => undefined },
        {
          call: ({ client }) => client.getTrends(),
          seen: (all) => all.map(({ rank, kind, name, postCount }) => ({ rank, kind, name, postCount })),
          holds: trends,
        },
      ),
    ),
    row<SocialGround>(
      'get_home_timeline',
      walks(
        {
          'timeline_type: HomeTimeline': (): GetHomeTimelineOptions => ({ timelineType: HOME_TIMELINE_TYPE_FOR_YOU }),
          'timeline_type: left out': () => ({}),
        },
        {
          get: ({ client }, chosen, walk) => client.getHomeTimeline({ ...walk, ...chosen }),
          iter: ({ client }, chosen, walk) => client.iterHomeTimeline({ ...walk, ...chosen }),
          holds: forYou,
          seen: seenPost,
          page: PAGE,
        },
      ),
      walks(
        { 'timeline_type: HomeLatestTimeline': (): HomeTimelineType => HOME_TIMELINE_TYPE_FOLLOWING },
        {
          get: ({ client }, timelineType, walk) => client.getHomeTimeline({ ...walk, timelineType }),
          iter: ({ client }, timelineType, walk) => client.iterHomeTimeline({ ...walk, timelineType }),
          holds: (ground) => timeline(ground).filter(isOurs(ground)).map(postFacts),
          seen: seenPost,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'get_mentions',
      walks(
        { 'no argument': () => undefined },
        {
          get: ({ client }, _, walk) => client.getMentions(walk),
          iter: ({ client }, _, walk) => client.iterMentions(walk),
          holds: mentions,
          seen: seenPost,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'get_bookmarks',
      walks(
        { 'no argument': () => undefined },
        {
          get: ({ client }, _, walk) => client.getBookmarks(walk),
          iter: ({ client }, _, walk) => client.iterBookmarks(walk),
          holds: bookmarks,
          seen: seenPost,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'get_post_notifications',
      walks(
        { 'no argument': () => undefined },
        {
          get: ({ client }, _, walk) => client.getPostNotifications(walk),
          iter: ({ client }, _, walk) => client.iterPostNotifications(walk),
          holds: notifications,
          seen: seenPost,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'search_gifs',
      walks(
        { search_term: () => 'd' },
        {
          get: ({ client }, term, walk) => client.searchGifs(term, walk),
          iter: ({ client }, term, walk) => client.iterSearchGifs(term, walk),
          holds: gifsOfD,
          seen: ({ id, title }) => ({ id, title }),
          page: PAGE,
        },
      ),
    ),
  ];
}
