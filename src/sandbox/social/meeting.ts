import type { FaultKind, FaultOrder } from '../faults.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Talks } from './messaging/talks.ts';
import type { StoredCommunity } from './communities.ts';
import type { UserLists } from './lists.ts';
import type { StoredPost, WrittenPosts } from './posts.ts';
import type { Moment } from './moment.ts';
import { notFound } from './refusal.ts';
import type { Uploads } from './uploads.ts';

/** One request, and the platform as it finds it. */
export interface Meeting {
  readonly moment: Moment;
  /** Whose token came with the request. */
  readonly viewer: WorldPerson;
  readonly written: WrittenPosts;
  readonly lists: UserLists;
  readonly uploads: Uploads;
  readonly talks: Talks;
  /** The failure of a kind that meets the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** Somebody by handle or id; refuses where there is nobody. */
export function requirePerson({ moment }: Meeting, name: string): WorldPerson {
  const person = moment.people.find(name);
  if (!person) throw notFound(`user ${name}`);
  return person;
}

/** The id in a post's address, or what is an id already. */
export function postIdOf(idOrUrl: string, { url }: Pick<Moment, 'url'>): string {
  const home = `${url}/posts/`;
  return idOrUrl.startsWith(home) ? idOrUrl.slice(home.length) : idOrUrl;
}

/** A community by id; refuses where there is none. */
export function requireCommunity({ moment }: Meeting, id: string): StoredCommunity {
  const community = moment.communities.find(id);
  if (!community) throw notFound(`community ${id}`);
  return community;
}

/** A post by id or address; of a repost what it passes on: whoever does something with it means that. Refuses where it does not show. */
export function requirePost(meeting: Meeting, idOrUrl: string): StoredPost {
  const item = requireItem(meeting, idOrUrl);
  return item.repostOf === undefined ? item : requireItem(meeting, item.repostOf);
}

/** A post or a repost by id or address; refuses where it does not show. */
export function requireItem({ moment }: Meeting, idOrUrl: string): StoredPost {
  const item = moment.feed.find(postIdOf(idOrUrl, moment));
  if (!item) throw notFound(`post ${idOrUrl}`);
  return item;
}
