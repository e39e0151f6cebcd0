import type { Container } from '#src/paging/container.ts';
import type { Choice } from '#src/social/arguments.ts';
import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';
import { answers, row, walks, type Row, type Walk } from '../rows.ts';
import { naming, userForms } from './forms.ts';
import type { SocialGround } from './ground.ts';
import { ME } from './installation/past.ts';
import {
  ada,
  blockedByMe,
  blocks,
  factsOf,
  followersOf,
  followingsOf,
  follows,
  hearsSinceMs,
  mostFollowed,
  partedFromMe,
  personIn,
  seenPerson,
} from './world/people.ts';
import { isStart, mostLiked, postFacts, posts, reactions, seenPost, timeline, writtenPost } from './world/posts.ts';

const PAGE = 20;
const SUGGESTED = 20;
const HIGHLIGHTS = 5;

type Get<T> = (ground: SocialGround, user: Choice<User>, walk: Walk) => PromiseLike<Container<T>> & AsyncIterable<T>;
type Iter<T> = (ground: SocialGround, user: Choice<User>, walk: Walk) => AsyncIterable<readonly [Container<T>, readonly T[]]>;

interface Listed<T> {
  readonly whose?: (ground: SocialGround) => string;
  readonly get: Get<T>;
  readonly iter: Iter<T>;
  readonly holds: (ground: SocialGround) => readonly unknown[];
}

function posted(
  name: string,
  { whose = (ground) => ada(ground).id, ...list }: Listed<Post>,
  ...more: Parameters<typeof row<SocialGround>>[1][]
): Row<SocialGround> {
  return row(name, walks(naming(userForms('username'), whose), { ...list, seen: seenPost, page: PAGE }), ...more);
}

function met(name: string, { whose = (ground) => ada(ground).id, ...list }: Listed<User>): Row<SocialGround> {
  return row(name, walks(naming(userForms('username'), whose), { ...list, seen: seenPerson, page: PAGE }));
}

function timelineOf(ground: SocialGround, id: string) {
  return timeline(ground).filter(({ authorId }) => authorId === id);
}

/** What somebody pinned, the latest first, then what of theirs is liked most. */
function highlightsOf(ground: SocialGround, id: string): readonly unknown[] {
  const pinned = reactions(ground, 'pin').flatMap(({ userId, postId, on }) => (userId === id && on ? [postId] : []));
  const others = posts(ground).filter((post) => post.authorId === id && isStart(post) && !pinned.includes(post.id));
  return [...pinned.map((postId) => writtenPost(ground, postId)), ...mostLiked(ground, others).slice(0, HIGHLIGHTS)].map(postFacts);
}

/** People whom the account does not follow yet: friends of friends, then who is well known. */
function suggested(ground: SocialGround): readonly unknown[] {
  const followed = new Set(followingsOf(ground, ME));
  const parted = partedFromMe(ground);
  const friends = [...followed].flatMap((id) => followingsOf(ground, id));
  const weights = Map.groupBy(friends, (id) => id);
  const weight = (id: string): number => weights.get(id)?.length ?? 0;
  const unfollowed = ground.people.others.filter(({ id }) => !followed.has(id) && !parted.has(id) && !ground.people.isProtected(id));
  const best = unfollowed.toSorted((a, b) => weight(b.id) - weight(a.id) || b.followerCount - a.followerCount);
  return factsOf(
    ground,
    best.slice(0, SUGGESTED).map(({ id }) => id),
  );
}

/** All that a profile says. */
function profileFacts(ground: SocialGround, id: string): unknown {
  const { handle, displayName, bio, createdAt, language, followerCount } = personIn(ground, id);
  const theirs = posts(ground).filter(
    ({ authorId, community, onTimeline }) => authorId === id && (community === undefined || onTimeline === true),
  );
  return {
    id,
    handle,
    displayName,
    bio,
    createdAt,
    language,
    followerCount: followersOf(ground, id).length,
    followingCount: followingsOf(ground, id).length,
    postCount: theirs.length,
    verified: followerCount >= 20_000 ? 'blue' : 'none',
    protected: ground.people.isProtected(id),
    pinnedPostIds: reactions(ground, 'pin').flatMap(({ userId, postId, on }) => (userId === id && on ? [postId] : [])),
    viewer:
      id === ME
        ? undefined
        : {
            following: follows(ground, ME, id),
            followedBy: follows(ground, id, ME),
            blocking: blocks(ground, ME, id),
            notifying: hearsSinceMs(ground, ME, id) !== undefined,
            canDm: !blocks(ground, ME, id) && !blocks(ground, id, ME),
          },
  };
}

function seenProfile({ platform: _platform, url: _url, fetchedAt: _fetchedAt, ...profile }: User): unknown {
  return profile;
}

export function userRows(): readonly Row<SocialGround>[] {
  return [
    row<SocialGround>(
      'get_user_info',
      answers(
        naming(userForms('username'), (ground) => ada(ground).id),
        {
          call: ({ client }, user) => client.getUserInfo(user),
          seen: seenProfile,
          holds: (ground) => profileFacts(ground, ada(ground).id),
        },
      ),
      answers(
        { 'username: nobody': () => undefined },
        { call: ({ client }, user) => client.getUserInfo(user), seen: seenProfile, holds: (ground) => profileFacts(ground, ME) },
      ),
      answers(
        {
          'username: a list of ids, handles and records': async (ground: SocialGround) => [
            '24007919',
            24_015_838,
            'ada',
            await ground.client.getUserInfo(ME),
          ],
        },
        {
          call: ({ client }, users) => client.getUserInfo(users),
          seen: (users) => users.map(seenProfile),
          holds: (ground) => ['24007919', '24015838', ada(ground).id, ME].map((id) => profileFacts(ground, id)),
        },
      ),
    ),
    row<SocialGround>(
      'get_user_id',
      answers(
        { 'username: a handle': () => 'grace', 'username: with @': () => '@Grace', 'username: an id': () => '24007919' },
        {
          call: ({ client }, user) => client.getUserId(user),
          seen: (id) => id,
          holds: ({ world }) => world.people.find(({ handle }) => handle === 'grace')?.id,
        },
      ),
    ),
    posted(
      'get_posts',
      {
        get: ({ client }, user, walk) => client.getPosts(user, walk),
        iter: ({ client }, user, walk) => client.iterPosts(user, walk),
        holds: (ground) => timelineOf(ground, ada(ground).id).filter(isStart).map(postFacts),
      },
      walks(
        { 'replies: true': (ground: SocialGround) => ada(ground).handle },
        {
          get: ({ client }, user, walk) => client.getPosts(user, { ...walk, replies: true }),
          iter: ({ client }, user, walk) => client.iterPosts(user, { ...walk, replies: true }),
          holds: (ground) => timelineOf(ground, ada(ground).id).map(postFacts),
          seen: seenPost,
          page: PAGE,
        },
      ),
    ),
    posted('get_user_media', {
      get: ({ client }, user, walk) => client.getUserMedia(user, walk),
      iter: ({ client }, user, walk) => client.iterUserMedia(user, walk),
      holds: (ground) =>
        posts(ground).flatMap((post) => (post.authorId === ada(ground).id && post.media.length > 0 ? [postFacts(post)] : [])),
    }),
    posted('get_user_highlights', {
      get: ({ client }, user, walk) => client.getUserHighlights(user, walk),
      iter: ({ client }, user, walk) => client.iterUserHighlights(user, walk),
      holds: (ground) => highlightsOf(ground, ada(ground).id),
    }),
    met('get_user_followers', {
      get: ({ client }, user, walk) => client.getUserFollowers(user, walk),
      iter: ({ client }, user, walk) => client.iterUserFollowers(user, walk),
      holds: (ground) => factsOf(ground, followersOf(ground, ada(ground).id)),
    }),
    met('get_user_followings', {
      get: ({ client }, user, walk) => client.getUserFollowings(user, walk),
      iter: ({ client }, user, walk) => client.iterUserFollowings(user, walk),
      holds: (ground) => factsOf(ground, followingsOf(ground, ada(ground).id)),
    }),
    met('get_user_subscribers', {
      whose: (ground) => mostFollowed(ground).id,
      get: ({ client }, user, walk) => client.getUserSubscribers(user, walk),
      iter: ({ client }, user, walk) => client.iterUserSubscribers(user, walk),
      holds: (ground) => {
        const { id } = mostFollowed(ground);
        return factsOf(
          ground,
          followersOf(ground, id).filter((follower) => ground.graph.pays(follower, id)),
        );
      },
    }),
    met('get_mutual_followers', {
      get: ({ client }, user, walk) => client.getMutualFollowers(user, walk),
      iter: ({ client }, user, walk) => client.iterMutualFollowers(user, walk),
      holds: (ground) => {
        const followed = new Set(followingsOf(ground, ME));
        return factsOf(
          ground,
          followersOf(ground, ada(ground).id).filter((id) => followed.has(id)),
        );
      },
    }),
    row<SocialGround>(
      'get_blocked_users',
      walks(
        { 'no argument': () => undefined },
        {
          get: ({ client }, _, walk) => client.getBlockedUsers(walk),
          iter: ({ client }, _, walk) => client.iterBlockedUsers(walk),
          holds: (ground) => factsOf(ground, blockedByMe(ground)),
          seen: seenPerson,
          page: PAGE,
        },
      ),
    ),
    row<SocialGround>(
      'get_suggested_users',
      answers(
        { 'no argument': () => undefined },
        { call: ({ client }) => client.getSuggestedUsers(), seen: (users) => users.map(seenPerson), holds: suggested },
      ),
    ),
  ];
}
