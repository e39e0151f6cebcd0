import type { Feed } from '../../social/feed.ts';
import type { StoredMedia, StoredPost, WrittenPosts } from '../../social/posts.ts';
import { lowOf, snowflake } from './snowflake.ts';

/** Room for the edits of one post among the low bits of its ids. */
const VERSIONS = 8;
const OWN = /^own-(\d+)$/;

/** A post as it stood from one edit to the next: on X each edit has an id of its own. */
export interface PostVersion {
  readonly id: string;
  readonly post: StoredPost;
  readonly text: string;
  readonly media: readonly StoredMedia[];
  /** The ids of all versions, oldest first. */
  readonly history: readonly string[];
}

/** Every version of a post, oldest first. */
export function versionsOf(post: StoredPost): readonly PostVersion[] {
  const current = { text: post.text, media: post.media, atMs: post.editedAtMs ?? post.createdAtMs };
  // Who passes something on edits nothing.
  const drafts = post.repostOf === undefined ? [...post.earlier, current] : [{ ...current, atMs: post.createdAtMs }];
  const history = drafts.map(({ atMs }, number) => snowflake(atMs, lowBits(post.id, number)));
  return drafts.map(({ text, media }, number) => ({ id: history[number] ?? '', post, text, media, history }));
}

/** The version that stands now. */
export function latestOf(post: StoredPost): PostVersion {
  const latest = versionsOf(post).at(-1);
  if (!latest) throw new Error(`post ${post.id} has no version`);
  return latest;
}

/** The id that others know a post by. */
export function postId(post: StoredPost): string {
  return latestOf(post).id;
}

/** The id that a conversation has from the post that began it: that of its first version. */
export function firstId(post: StoredPost): string {
  return versionsOf(post)[0]?.id ?? '';
}

/** Finds posts by the ids that X gave them, as far as `feed` shows them. */
export function postIndex(feed: Feed): (id: string) => PostVersion | undefined {
  let posts: ReadonlyMap<string, PostVersion> | undefined;
  let reposts: ReadonlyMap<string, PostVersion> | undefined;
  return (id) => {
    posts ??= indexed(feed.all());
    // Reposts are many and seldom asked for by id.
    return posts.get(id) ?? (reposts ??= indexed(feed.timeline().filter(({ repostOf }) => repostOf !== undefined))).get(id);
  };
}

/** What was written under this id, also where reads do not show it. */
export function findWritten(id: string, written: WrittenPosts) {
  return written.all().find((post) => versionsOf(post).some((version) => version.id === id));
}

function indexed(posts: readonly StoredPost[]): ReadonlyMap<string, PostVersion> {
  return new Map(posts.flatMap(versionsOf).map((version) => [version.id, version]));
}

/** Of what came through the API in one millisecond, the later one has the greater id. */
function lowBits(storedId: string, version: number): number {
  const number = OWN.exec(storedId)?.[1];
  return number === undefined ? lowOf(storedId) : Number(number) * VERSIONS + version;
}
