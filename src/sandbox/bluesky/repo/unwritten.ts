import type { JsonObject } from '#src/operation/json.ts';
import { spontaneous } from '../../social/crowd/who-reacted.ts';
import { SELF } from '../../social/people.ts';
import type { SocialStage } from '../../social/stage.ts';
import type { WorldPerson } from '../../world/world.ts';
import type { Directory } from '../accounts/directory.ts';
import { invalidRequest } from '../xrpc/refusal.ts';
import { derived, type NamedRecord } from './derived.ts';
import { COLLECTIONS, type GraphRecords } from './graph-records.ts';
import { POST, type PostRecords } from './post-records.ts';
import type { Repositories } from './repository.ts';

export const PROFILE = 'app.bsky.actor.profile';
const CHAT_DECLARATION = 'chat.bsky.actor.declaration';

/** What people can take back of what they did by themselves. */
const TAKEN_BACK: readonly string[] = [COLLECTIONS.follow, COLLECTIONS.like, COLLECTIONS.repost];

/** A record of somebody that nobody wrote through the API, and its key. */
interface UnwrittenRecord extends NamedRecord {
  readonly rkey: string;
}

/** What people of the world did by themselves, as records of their repositories. */
export interface Unwritten {
  /** In the order of the keys. */
  all(did: string, collection: string): readonly UnwrittenRecord[];
  find(did: string, collection: string, rkey: string): UnwrittenRecord | undefined;
  collectionsOf(did: string): readonly string[];
  /** Refuses a change of what people of the world did by themselves where it cannot be undone. */
  checkChange(action: 'update' | 'delete', collection: string): void;
  /** Its own author does not want it any more. */
  takeBack(did: string, place: { readonly collection: string; readonly rkey: string }, atMs: number): void;
}

export interface UnwrittenOptions {
  readonly stage: SocialStage;
  readonly directory: Directory;
  readonly repositories: Repositories;
  readonly posts: PostRecords;
  readonly graph: GraphRecords;
}

export function unwrittenOf({ stage, directory, repositories, posts, graph }: UnwrittenOptions): Unwritten {
  /** What a collection holds by itself, whatever was written over it. */
  function made(person: WorldPerson, collection: string): readonly NamedRecord[] {
    const did = directory.didOf(person);
    const single = (record: JsonObject): readonly NamedRecord[] => [derived({ did, collection, rkey: 'self', record })];
    const moment = stage.momentFor(person);
    switch (collection) {
      case PROFILE:
        return single({ displayName: person.displayName, description: person.bio, createdAt: person.createdAt.toISOString() });
      case CHAT_DECLARATION:
        return single({ allowIncoming: 'all' });
      case POST:
        return moment.feed.all().flatMap((post) => (post.authorId === person.id ? [posts.of(post)] : []));
      case COLLECTIONS.follow:
        return moment.relations.followingsOf(person.id).flatMap((id) => {
          const other = stage.people.find(id);
          return other ? [graph.ofRelation('follow', person, other)] : [];
        });
      case COLLECTIONS.like:
      case COLLECTIONS.repost: {
        const kind = collection === COLLECTIONS.like ? 'like' : 'repost';
        // It does nothing by itself: there is no need to look for it.
        if (person.id === SELF.id) return [];
        return moment.feed.all().flatMap((post) => {
          const reaction = spontaneous(kind, post, moment).find((one) => one.person.id === person.id);
          return reaction ? [graph.ofReaction(kind, person, post, reaction.atMs)] : [];
        });
      }
      default:
        return [];
    }
  }

  function all(did: string, collection: string): readonly UnwrittenRecord[] {
    const person = directory.find(did);
    if (!person) return [];
    return made(person, collection)
      .map((record) => ({ ...record, rkey: record.uri.slice(record.uri.lastIndexOf('/') + 1) }))
      .filter(({ rkey }) => !repositories.find(did, collection, rkey))
      .toSorted((a, b) => (a.rkey < b.rkey ? -1 : 1));
  }

  const find: Unwritten['find'] = (did, collection, rkey) => all(did, collection).find((record) => record.rkey === rkey);

  return {
    all,
    find,
    collectionsOf: (did) => [PROFILE, CHAT_DECLARATION, POST, COLLECTIONS.follow].filter((collection) => all(did, collection).length > 0),

    checkChange(action, collection) {
      const isFree = action === 'delete' ? TAKEN_BACK.includes(collection) : collection !== POST;
      if (!isFree) throw invalidRequest('The people of the sandbox wrote this by themselves: it cannot be changed or deleted');
    },

    takeBack(did, { collection, rkey }, atMs) {
      const person = directory.find(did);
      const record = find(did, collection, rkey);
      if (!person || !record) return;
      const { relations, reactions, feed } = stage.momentFor(person);
      const subject = record.record['subject'];
      const other = typeof subject === 'string' ? directory.find(subject) : undefined;
      if (collection === COLLECTIONS.follow && other) relations.setFollow(person.id, other.id, false, atMs);
      else if (collection === COLLECTIONS.like || collection === COLLECTIONS.repost) {
        const target = feed.all().find((post) => isAbout(record, posts.of(post)));
        const kind = collection === COLLECTIONS.like ? 'like' : 'repost';
        if (target) reactions.set(kind, { userId: person.id, postId: target.id }, { on: false, atMs });
      }
    },
  };
}

function isAbout({ record }: NamedRecord, { uri }: NamedRecord): boolean {
  const { subject } = record;
  return typeof subject === 'object' && subject !== null && 'uri' in subject && subject.uri === uri;
}
