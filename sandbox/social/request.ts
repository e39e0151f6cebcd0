import type { FaultKind, FaultOrder } from '../faults.ts';
import type { WorldPerson } from '../world/world.ts';
import type { StoredCommunity } from './communities.ts';
import type { UserLists } from './lists.ts';
import type { Uploads } from './media.ts';
import type { DirectMessages } from './messaging/direct-messages.ts';
import type { StoredPost, WrittenPost, WrittenPosts } from './posts.ts';
import { Refusal, notFound } from './refusal.ts';
import type { Snapshot } from './snapshot.ts';

/** A request and the platform that it sees. */
export interface SocialRequest {
  readonly snapshot: Snapshot;
  /** The owner of the token. */
  readonly viewer: WorldPerson;
  readonly written: WrittenPosts;
  readonly lists: UserLists;
  readonly uploads: Uploads;
  readonly directMessages: DirectMessages;
  /** Takes an ordered fault of a kind that applies to the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** Finds a person by handle or id. */
export function requirePerson({ snapshot }: SocialRequest, name: string): WorldPerson {
  const person = snapshot.people.find(name);
  if (!person) throw notFound(`user ${name}`);
  return person;
}

/** The id of a post from its id or URL. */
export function postIdOf(idOrUrl: string, { url }: Pick<Snapshot, 'url'>): string {
  const home = `${url}/posts/`;
  return idOrUrl.startsWith(home) ? idOrUrl.slice(home.length) : idOrUrl;
}

export function requireCommunity({ snapshot }: SocialRequest, id: string): StoredCommunity {
  const community = snapshot.communities.find(id);
  if (!community) throw notFound(`community ${id}`);
  return community;
}

/** Finds a visible post by id or URL. A repost stands for its original. */
export function requirePost(request: SocialRequest, idOrUrl: string): StoredPost {
  const item = requireItem(request, idOrUrl);
  return item.repostOf === undefined ? item : requireItem(request, item.repostOf);
}

/** Finds a visible post or repost by id or URL. */
export function requireItem({ snapshot }: SocialRequest, idOrUrl: string): StoredPost {
  const item = snapshot.feed.find(postIdOf(idOrUrl, snapshot));
  if (!item) throw notFound(`post ${idOrUrl}`);
  return item;
}

/** Finds a post of the viewer by id or URL, even if reads do not show it yet. Refuses posts of other people. */
export function findViewerPost({ snapshot, viewer, written }: SocialRequest, idOrUrl: string): WrittenPost | undefined {
  const idOrRepost = postIdOf(idOrUrl, snapshot);
  const id = snapshot.feed.find(idOrRepost)?.repostOf ?? idOrRepost;
  const post = written.find(id);
  if (post && post.authorId === viewer.id) {
    const stands = post.deletedAtMs === undefined && post.createdAtMs <= snapshot.now.getTime();
    return stands ? post : undefined;
  }
  if (snapshot.feed.find(id)) throw new Refusal(403, 'forbidden', 'This post belongs to another account.');
  return undefined;
}

export function requireViewerPost(request: SocialRequest, idOrUrl: string): WrittenPost {
  const post = findViewerPost(request, idOrUrl);
  if (!post) throw notFound(`post ${idOrUrl}`);
  return post;
}
