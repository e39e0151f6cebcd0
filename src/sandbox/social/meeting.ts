import type { FaultKind, FaultOrder } from '../faults.ts';
import type { WorldPerson } from '../world/world.ts';
import type { StoredPost, WrittenPosts } from './posts.ts';
import type { Moment } from './records.ts';
import { notFound } from './refusal.ts';

/** One request, and the platform as it finds it. */
export interface Meeting {
  readonly moment: Moment;
  /** Whose token came with the request. */
  readonly viewer: WorldPerson;
  readonly written: WrittenPosts;
  /** The failure of a kind that meets the request. */
  readonly fault: (kind: FaultKind) => FaultOrder | undefined;
}

/** Somebody by handle or id; refuses where there is nobody. */
export function requirePerson({ moment }: Meeting, name: string): WorldPerson {
  const person = moment.people.find(name);
  if (!person) throw notFound(`user ${name}`);
  return person;
}

/** A post by id or address; refuses where it does not show. */
export function requirePost({ moment }: Meeting, idOrUrl: string): StoredPost {
  const id = idOrUrl.startsWith(`${moment.url}/posts/`) ? idOrUrl.slice(`${moment.url}/posts/`.length) : idOrUrl;
  const post = moment.feed.find(id);
  if (!post) throw notFound(`post ${idOrUrl}`);
  return post;
}
