import type { WorldPerson } from '../world/world.ts';
import { type Communities, roleIn } from './communities.ts';
import { type Audience, answersBelow, findAnswer, findRepost, repostsOf } from './engagement.ts';
import type { GeneratedPosts } from './generated-posts.ts';
import type { People } from './people.ts';
import { byTime, type StoredPost, type WrittenPost, type WrittenPosts } from './posts.ts';
import type { Relations } from './relations.ts';

interface VisibilityOptions {
  readonly people: People;
  readonly relations: Relations;
  readonly communities: Communities;
}

/**
 * Whether a viewer may see a post. A block hides posts, only followers see posts of protected people, and only members see
 * posts of a community with invitations. Without a viewer, it is the view of someone who is not signed in.
 */
export function visibleTo(
  viewer: WorldPerson | undefined,
  { people, relations, communities }: VisibilityOptions,
): (post: StoredPost) => boolean {
  return ({ authorId, community: communityId }) => {
    if (viewer?.id === authorId) return true;
    if (viewer && relations.parted(viewer.id, authorId)) return false;
    const community = communityId === undefined ? undefined : communities.find(communityId);
    if (community?.joinPolicy === 'invitation' && (!viewer || roleIn(community, viewer.id) === 'none')) return false;
    return !people.isProtected(authorId) || (viewer !== undefined && relations.follows(viewer.id, authorId));
  };
}

/** Whether timelines outside communities show a post. */
export function isOnTimeline({ community, onTimeline }: StoredPost): boolean {
  return community === undefined || onTimeline === true;
}

/** The posts that one viewer can see at one instant. */
export interface Feed {
  /** Newest first. */
  all(): readonly StoredPost[];
  /** The posts outside communities and the reposts, newest first. Each repost is an item. */
  timeline(): readonly StoredPost[];
  /** The posts of a person outside communities, newest first. */
  postsOf(personId: string): readonly StoredPost[];
  /** The posts and reposts of a person outside communities, newest first. */
  timelineOf(personId: string): readonly StoredPost[];
  /** Also finds reposts. */
  find(id: string): StoredPost | undefined;
  /** The replies to a post, oldest first. */
  answersTo(id: string): readonly StoredPost[];
  /** The posts that quote a post, newest first. */
  quotesOf(id: string): readonly StoredPost[];
}

interface FeedSources {
  readonly written: WrittenPosts;
  readonly generatedPosts: GeneratedPosts;
  /** Whether blocks and privacy let the viewer see a post. */
  readonly visible: (post: StoredPost) => boolean;
  readonly audience: Audience;
}

/** The feed of a viewer at an instant. */
export function feedOf({ written, generatedPosts, visible, audience }: FeedSources): Feed {
  const { people } = audience;
  const nowMs = audience.now.getTime();
  const shows = ({ visibleAtMs, deletedAtMs }: WrittenPost): boolean => deletedAtMs === undefined && visibleAtMs <= nowMs;
  let posts: readonly StoredPost[] | undefined;
  let timelineItems: readonly StoredPost[] | undefined;
  let byAuthor: ReadonlyMap<string, readonly StoredPost[]> | undefined;
  let answers: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;
  let quotes: ReadonlyMap<string | undefined, readonly StoredPost[]> | undefined;

  function all(): readonly StoredPost[] {
    return (posts ??= [...writtenAndReplies(), ...generatedPosts.at(nowMs)].filter(visible).toSorted(byTime));
  }

  /** The posts from the API and the generated replies to them. */
  function writtenAndReplies(): readonly StoredPost[] {
    const standing = written.all().filter(shows);
    return [...standing, ...standing.flatMap((post) => answersBelow(post, audience))];
  }

  function findWritten(id: string): WrittenPost | undefined {
    const post = written.find(id);
    return post && shows(post) ? post : undefined;
  }

  /** Finds posts, but no reposts. */
  function findPost(id: string): StoredPost | undefined {
    const post = findWritten(id) ?? generatedPosts.find(id, nowMs) ?? findAnswer(id, findWritten, audience);
    return post && visible(post) ? post : undefined;
  }

  function timeline(): readonly StoredPost[] {
    const reposts = (): readonly StoredPost[] => all().flatMap((post) => repostsOf(post, audience));
    return (timelineItems ??= [...all().filter(isOnTimeline), ...reposts().filter(visible)].toSorted(byTime));
  }

  /** The timeline of the account of the API. It does not need the posts and reposts of other people. */
  function accountTimeline(id: string): readonly StoredPost[] {
    const posted = written.all().filter((post) => post.authorId === id && shows(post) && isOnTimeline(post));
    const reposts = audience.reactions.by('repost', id).flatMap(({ number }) => findRepost(`repost-${number}`, findPost, audience) ?? []);
    return [...posted, ...reposts].filter(visible).toSorted(byTime);
  }

  return {
    all,
    timeline,
    postsOf: (id) => (byAuthor ??= Map.groupBy(all().filter(isOnTimeline), ({ authorId }) => authorId)).get(id) ?? [],
    timelineOf: (id) =>
      people.others.some((person) => person.id === id) ? timeline().filter(({ authorId }) => authorId === id) : accountTimeline(id),
    answersTo: (id) => (answers ??= Map.groupBy(all().toReversed(), ({ replyTo }) => replyTo)).get(id) ?? [],
    quotesOf: (id) => (quotes ??= Map.groupBy(all(), ({ quote }) => quote)).get(id) ?? [],

    find(id) {
      const post = findPost(id) ?? findRepost(id, findPost, audience);
      return post && visible(post) ? post : undefined;
    },
  };
}
