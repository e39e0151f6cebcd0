import type { Moment } from '../../social/moment.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { NAME, type Bluesky } from '../core.ts';
import { fromAtUri } from '../data/at-uri.ts';
import type { SignedCall } from '../xrpc/endpoint.ts';
import { invalidRequest } from '../xrpc/refusal.ts';

/** The network as one request of somebody finds it. */
export interface Look {
  readonly bluesky: Bluesky;
  readonly viewer: WorldPerson;
  readonly moment: Moment & { readonly viewer: WorldPerson | undefined };
  /** Where its pictures and videos stand, as `http://127.0.0.1:8081/bluesky`. */
  readonly url: string;
  readonly call: SignedCall;
}

export function lookOf(bluesky: Bluesky, call: SignedCall): Look {
  const viewer = call.session.person;
  return { bluesky, viewer, moment: bluesky.stage.momentFor(viewer), url: `${call.origin}/${NAME}`, call };
}

/** Somebody by DID or handle; refuses where there is nobody, or not any more. */
export function requireActor({ bluesky }: Look, actor: string): WorldPerson {
  const person = bluesky.directory.find(actor);
  if (!person) throw invalidRequest('Profile not found');
  if (bluesky.standings.of(bluesky.directory.didOf(person)).takenDown)
    throw invalidRequest('Account has been suspended', 'AccountTakedown');
  return person;
}

/** The post at an address, if the viewer sees it. */
export function findPost({ bluesky, moment }: Look, uri: string): StoredPost | undefined {
  return bluesky.posts.find(uri, moment.feed);
}

/** Whether it is a block that hides what stands at an address. */
export function isBlocked({ bluesky, moment, viewer }: Look, uri: string): boolean {
  const author = bluesky.directory.find(fromAtUri(uri)?.repo ?? '');
  return author !== undefined && moment.relations.parted(viewer.id, author.id);
}

export function authorOf({ moment }: Look, { id, authorId }: StoredPost): WorldPerson {
  const author = moment.people.find(authorId);
  if (!author) throw new Error(`post ${id} is by nobody`);
  return author;
}
