import { generatedReactions } from '#sandbox/social/engagement.ts';
import type { StoredPost, WrittenPost } from '#sandbox/social/posts.ts';
import type { Post } from '#src/social/records/post.ts';
import type { SocialGround } from '../ground.ts';
import { ME } from '../installation/past.ts';
import { blocks, followingsOf, partedFromMe } from './people.ts';

type Kind = 'like' | 'repost' | 'pin' | 'hide';

interface Reaction {
  readonly kind: Kind;
  readonly userId: string;
  readonly postId: string;
  readonly on: boolean;
  readonly atMs: number;
  readonly number: number;
}

/** What stands in the store about posts, the latest first; what was taken back is among it. */
export function reactions({ store }: SocialGround, kind: Kind): readonly Reaction[] {
  const all = store.all('social.reactions') as unknown as readonly Reaction[]; // as the platform wrote them
  return all.filter((one) => one.kind === kind).toSorted((a, b) => b.number - a.number);
}

export function hasReaction(ground: SocialGround, kind: Kind, postId: string): boolean {
  return reactions(ground, kind).some((one) => one.userId === ME && one.postId === postId && one.on);
}

/** Whether whoever began its conversation has hidden it. */
export function isHidden(ground: SocialGround, postId: string): boolean {
  return reactions(ground, 'hide').some((one) => one.postId === postId && one.on);
}

/** What was written to the platform, gone and waiting ones too, oldest first. */
export function written({ store }: SocialGround): readonly WrittenPost[] {
  return store.all('social.posts') as unknown as readonly WrittenPost[]; // as the platform wrote them
}

export function writtenPost(ground: SocialGround, id: string): WrittenPost {
  const post = written(ground).find((one) => one.id === id);
  if (!post) throw new Error(`there is no post ${id}`);
  return post;
}

export function stands({ deletedAtMs, visibleAtMs }: WrittenPost, { nowMs }: SocialGround): boolean {
  return deletedAtMs === undefined && visibleAtMs <= nowMs;
}

/** Whether the account may read what somebody writes. */
function readable(ground: SocialGround): (post: StoredPost) => boolean {
  const parted = partedFromMe(ground);
  const followed = new Set(followingsOf(ground, ME));
  const closed = new Set(
    ground.communities.all.filter(({ joinPolicy, roles }) => joinPolicy === 'invitation' && !roles.has(ME)).map(({ id }) => id),
  );
  return ({ authorId, community }) => {
    if (authorId === ME) return true;
    if (parted.has(authorId) || (community !== undefined && closed.has(community))) return false;
    return !ground.people.isProtected(authorId) || followed.has(authorId);
  };
}

/** All posts that the account may read, newest first. */
export function posts(ground: SocialGround): readonly StoredPost[] {
  const standing = written(ground).filter((post) => stands(post, ground));
  return newestFirst([...standing, ...ground.chatter].filter(readable(ground)));
}

/** Those outside of communities, and each repost as an item of its own, newest first. */
export function timeline(ground: SocialGround): readonly StoredPost[] {
  const all = posts(ground);
  const may = readable(ground);
  const reposts = Map.groupBy(reactions(ground, 'repost'), ({ postId }) => postId);
  const passedOn = all.flatMap((post) => repostsOf(ground, post, reposts.get(post.id) ?? []));
  return newestFirst([
    ...all.filter(({ community, onTimeline }) => community === undefined || onTimeline === true),
    ...passedOn.filter(may),
  ]);
}

function repostsOf(ground: SocialGround, post: StoredPost, reposts: readonly Reaction[]): readonly StoredPost[] {
  const removed = { repostOf: post.id, replyTo: undefined, community: undefined, onTimeline: undefined };
  return [
    ...reposts.flatMap(({ on, userId: authorId, number, atMs }) =>
      on ? [{ ...post, ...removed, id: `repost-${number}`, authorId, createdAtMs: atMs }] : [],
    ),
    ...byThemselves(ground, 'repost', post, reposts).map(({ person, atMs, index }) => ({
      ...post,
      ...removed,
      id: `repost-${post.id}-${index}`,
      authorId: person.id,
      createdAtMs: atMs,
    })),
  ];
}

/** Who does something about a post by themselves and said nothing else. */
function byThemselves(
  ground: SocialGround,
  kind: 'like' | 'repost',
  post: StoredPost,
  reposts: readonly Reaction[],
): ReturnType<typeof generatedReactions> {
  const { people, noGenerated, nowMs } = ground;
  const spoken = new Set(reposts.map(({ userId }) => userId));
  return generatedReactions(kind, post, { now: new Date(nowMs), people, ...noGenerated }).filter(
    ({ person: { id } }) => !spoken.has(id) && !(post.authorId === ME && blocks(ground, id, ME)),
  );
}

/** Ids of those who reacted, the latest first. */
export function whoReacted(ground: SocialGround, kind: 'like' | 'repost', post: StoredPost): readonly string[] {
  const reposts = reactions(ground, kind).filter(({ postId }) => postId === post.id);
  const standing = reposts.flatMap(({ userId, on }) => (on ? [userId] : []));
  return [
    ...standing,
    ...byThemselves(ground, kind, post, reposts)
      .map(({ person }) => person.id)
      .toReversed(),
  ];
}

/** Those that most people like in the end; of equally liked ones the newest first. */
export function mostLiked(ground: SocialGround, of: readonly StoredPost[]): readonly StoredPost[] {
  const reposts = Map.groupBy(
    reactions(ground, 'like').filter(({ on }) => on),
    ({ postId }) => postId,
  );
  const likes = ({ id, likes: removed }: StoredPost): number => removed + (reposts.get(id)?.length ?? 0);
  return of.toSorted((a, b) => likes(b) - likes(a) || b.createdAtMs - a.createdAtMs);
}

function newestFirst(of: readonly StoredPost[]): readonly StoredPost[] {
  return of.toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.id.localeCompare(a.id, 'en', { numeric: true }));
}

/** What is said about no other post. */
export function isStart({ replyTo }: StoredPost): boolean {
  return replyTo === undefined;
}

export function postFacts({ id, authorId, text, createdAtMs, media, replyTo, repostOf, community }: StoredPost): unknown {
  return {
    id,
    authorId,
    text,
    createdAtMs,
    media: media.map((one) => one.id),
    replyTo,
    repostOf,
    ...(repostOf === undefined && { community }),
  };
}

export function seenPost({ id, author, text, createdAt, media, replyTo, repostOf, communityId }: Post): unknown {
  const removed = {
    id,
    authorId: author.id,
    text,
    createdAtMs: createdAt.getTime(),
    media: media.map((one) => one.id),
    replyTo: replyTo?.postId,
    repostOf,
  };
  return repostOf === undefined ? { ...removed, community: communityId } : removed;
}
