import type { StoredPost } from '../../social/posts.ts';
import { below, createDice } from '../../world/dice.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Directory } from '../accounts/directory.ts';
import { derived, derivedKey, strongRef, type NamedRecord } from './derived.ts';
import type { PostRecords } from './post-records.ts';
import { textAt } from './references.ts';
import type { Repositories, StandingRecord } from './repository.ts';

export const COLLECTIONS = {
  follow: 'app.bsky.graph.follow',
  block: 'app.bsky.graph.block',
  like: 'app.bsky.feed.like',
  repost: 'app.bsky.feed.repost',
} as const;

/** People of the world followed each other at some time of this year. */
const FOLLOWED_FROM_MS = Date.UTC(2025, 0, 1);
const FOLLOWED_FOR_MS = 300 * 86_400_000;

/** A record that says something about a person or a post, and when it was said. */
interface Said extends NamedRecord {
  readonly atMs: number;
}

/** The records behind what people say of each other and of posts. */
export interface GraphRecords {
  /** That somebody follows or blocks another; asked only where they do. */
  ofRelation(kind: 'follow' | 'block', from: WorldPerson, to: WorldPerson): Said;
  /** That somebody likes or passed on a post. */
  ofReaction(kind: 'like' | 'repost', person: WorldPerson, post: StoredPost, atMs: number): Said;
}

export interface GraphRecordsOptions {
  readonly directory: Directory;
  readonly repositories: Repositories;
  readonly posts: PostRecords;
}

export function graphRecordsOf({ directory, repositories, posts }: GraphRecordsOptions): GraphRecords {
  function ofRelation(kind: 'follow' | 'block', from: WorldPerson, to: WorldPerson): Said {
    const [did, subject, collection] = [directory.didOf(from), directory.didOf(to), COLLECTIONS[kind]];
    const own = repositories.all(did, collection).find(({ record }) => record['subject'] === subject);
    if (own) return saidIn(own);
    const salt = `${kind} ${from.id} ${to.id}`;
    const atMs = FOLLOWED_FROM_MS + below(FOLLOWED_FOR_MS, createDice(0, salt)(2));
    const record = { subject, createdAt: new Date(atMs).toISOString() };
    return { ...derived({ did, collection, rkey: derivedKey(salt, atMs), record }), atMs };
  }

  function ofReaction(kind: 'like' | 'repost', person: WorldPerson, post: StoredPost, atMs: number): Said {
    const [did, collection, subject] = [directory.didOf(person), COLLECTIONS[kind], posts.of(post)];
    const own = repositories.all(did, collection).find(({ record }) => textAt(record, 'subject', 'uri') === subject.uri);
    if (own) return saidIn(own);
    const record = { subject: strongRef(subject), createdAt: new Date(atMs).toISOString() };
    return { ...derived({ did, collection, rkey: derivedKey(`${kind} ${person.id} ${post.id}`, atMs), record }), atMs };
  }

  return { ofRelation, ofReaction };
}

function saidIn({ uri, cid, record, atMs }: StandingRecord): Said {
  return { uri, cid, record, atMs };
}
