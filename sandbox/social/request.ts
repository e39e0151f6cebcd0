import type { FaultKind, FaultOrder } from '../faults.ts';
import type { WorldPerson } from '../world/world.ts';
import type { StoredCommunity } from './communities.ts';
import type { UserLists } from './lists.ts';
import type { Uploads } from './media.ts';
import type { DirectMessages } from './messaging/direct-messages.ts';
import type { StoredPost, WrittenPost, WrittenPosts } from './posts.ts';
import { Refusal, notFound } from './refusal.ts';
import type { Snapshot } from './snapshot.ts';

/** One request, and the platform as it finds it. */
export interface SocialRequest {
  readonly snapshot: Snapshot;
  /** Whose token came with the request. */
  readonly viewer: WorldPerson;
  readonly written: WrittenPosts;
  readonly lists: UserLists;
  readonly uploads: Uploads;
  readonly directMessages: DirectMessages;
  /** The failure of a kind that meets the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** Somebody by handle or id; refuses where there is nobody. */
export function requirePerson({ snapshot }: SocialRequest, name: string): WorldPerson {
  const person = snapshot.people.find(name);
  if (!person) throw notFound(`user ${name}`);
  return person;
}

/** The id in a post's address, or what is an id already. */
export function postIdOf(idOrUrl: string, { url }: Pick<Snapshot, 'url'>): string {
  const home = `${url}/posts/`;
  return idOrUrl.startsWith(home) ? idOrUrl.slice(home.length) : idOrUrl;
}

/** A community by id; refuses where there is none. */
export function requireCommunity({ snapshot }: SocialRequest, id: string): StoredCommunity {
  const community = snapshot.communities.find(id);
  if (!community) throw notFound(`community ${id}`);
  return community;
}

/** A post by id or address; of a repost what it passes on: whoever does something with it means that. Refuses where it does not show. */
export function requirePost(request: SocialRequest, idOrUrl: string): StoredPost {
  const item = requireItem(request, idOrUrl);
  return item.repostOf === undefined ? item : requireItem(request, item.repostOf);
}

/** A post or a repost by id or address; refuses where it does not show. */
export function requireItem({ snapshot }: SocialRequest, idOrUrl: string): StoredPost {
  const item = snapshot.feed.find(postIdOf(idOrUrl, snapshot));
  if (!item) throw notFound(`post ${idOrUrl}`);
  return item;
}

/** A post of the viewer's by id or address, also where reads do not show it yet; refuses one of somebody else. */
export function findViewerPost({ snapshot, viewer, written }: SocialRequest, idOrUrl: string): WrittenPost | undefined {
  const idOrRepost = postIdOf(idOrUrl, snapshot);
  const id = snapshot.feed.find(idOrRepost)?.repostOf ?? idOrRepost;
  const post = written.find(id);
  if (post && post.authorId === viewer.id) {
    const stands = post.deletedAtMs === undefined && post.createdAtMs <= snapshot.now.getTime();
    return stands ? post : undefined;
  }
  if (snapshot.feed.find(id)) throw new Refusal(403, 'forbidden', "This post is somebody else's.");
  return undefined;
}

/** {@link findOwn}, where there has to be one. */
export function requireViewerPost(request: SocialRequest, idOrUrl: string): WrittenPost {
  const post = findViewerPost(request, idOrUrl);
  if (!post) throw notFound(`post ${idOrUrl}`);
  return post;
}
