import type { JsonObject } from '#src/operation/json.ts';
import type { SocialCore } from '../social/core.ts';
import { generatedReactions } from '../social/engagement.ts';
import { SELF } from '../social/people.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Directory } from './accounts.ts';
import { invalidRequest } from './refusal.ts';
import { type NamedRecord, type Repositories, derived } from './records.ts';
import { COLLECTIONS, type GraphRecords, POST, type PostRecords } from './social-records.ts';

export const PROFILE = 'app.bsky.actor.profile';
const CHAT_DECLARATION = 'chat.bsky.actor.declaration';

/** The generated records that people can delete. */
const TAKEN_BACK: readonly string[] = [COLLECTIONS.follow, COLLECTIONS.like, COLLECTIONS.repost];

/** A record of somebody that nobody wrote through the API, and its key. */
interface GeneratedRecord extends NamedRecord {
  readonly rkey: string;
}

/** What people of the world did by themselves, as records of their repositories. */
export interface GeneratedRecords {
  /** In the order of the keys. */
  all(did: string, collection: string): readonly GeneratedRecord[];
  find(did: string, collection: string, rkey: string): GeneratedRecord | undefined;
  collectionsOf(did: string): readonly string[];
  /** Refuses a change of what people of the world did by themselves where it cannot be undone. */
  checkChange(action: 'update' | 'delete', collection: string): void;
  /** Deletes a generated record. */
  takeBack(did: string, place: { readonly collection: string; readonly rkey: string }, atMs: number): void;
}

export interface UnwrittenOptions {
  readonly core: SocialCore;
  readonly directory: Directory;
  readonly repositories: Repositories;
  readonly posts: PostRecords;
  readonly graph: GraphRecords;
}

export function generatedRecordsOf({ core, directory, repositories, posts, graph }: UnwrittenOptions): GeneratedRecords {
  /** The generated records of a collection, whether or not other records replace them. */
  function made(person: WorldPerson, collection: string): readonly NamedRecord[] {
    const did = directory.didOf(person);
    const single = (record: JsonObject): readonly NamedRecord[] => [derived({ did, collection, rkey: 'self', record })];
    const snapshot = core.snapshotFor(person);
    switch (collection) {
      case PROFILE:
        return single({ displayName: person.displayName, description: person.bio, createdAt: person.createdAt.toISOString() });
      case CHAT_DECLARATION:
        return single({ allowIncoming: 'all' });
      case POST:
        return snapshot.feed.all().flatMap((post) => (post.authorId === person.id ? [posts.of(post)] : []));
      case COLLECTIONS.follow:
        return snapshot.relations.followingsOf(person.id).flatMap((id) => {
          const other = core.people.find(id);
          return other ? [graph.ofRelation('follow', person, other)] : [];
        });
      case COLLECTIONS.like:
      case COLLECTIONS.repost: {
        const kind = collection === COLLECTIONS.like ? 'like' : 'repost';
        // It does nothing by itself: there is no need to look for it.
        if (person.id === SELF.id) return [];
        return snapshot.feed.all().flatMap((post) => {
          const reaction = generatedReactions(kind, post, snapshot).find((one) => one.person.id === person.id);
          return reaction ? [graph.ofReaction(kind, person, post, reaction.atMs)] : [];
        });
      }
      default:
        return [];
    }
  }

  function all(did: string, collection: string): readonly GeneratedRecord[] {
    const person = directory.find(did);
    if (!person) return [];
    return made(person, collection)
      .map((record) => ({ ...record, rkey: record.uri.slice(record.uri.lastIndexOf('/') + 1) }))
      .filter(({ rkey }) => !repositories.find(did, collection, rkey))
      .toSorted((a, b) => (a.rkey < b.rkey ? -1 : 1));
  }

  const find: GeneratedRecords['find'] = (did, collection, rkey) => all(did, collection).find((record) => record.rkey === rkey);

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
      const { relations, reactions, feed } = core.snapshotFor(person);
      const subject = record.record['subject'];
      const other = typeof subject === 'string' ? directory.find(subject) : undefined;
      if (collection === COLLECTIONS.follow && other) relations.setFollow(person.id, other.id, false, atMs);
      else if (collection === COLLECTIONS.like || collection === COLLECTIONS.repost) {
        const target = feed.all().find((post) => personMatches(record, posts.of(post)));
        const kind = collection === COLLECTIONS.like ? 'like' : 'repost';
        if (target) reactions.set(kind, { userId: person.id, postId: target.id }, { on: false, atMs });
      }
    },
  };
}

function personMatches({ record }: NamedRecord, { uri }: NamedRecord): boolean {
  const { subject } = record;
  return typeof subject === 'object' && subject !== null && 'uri' in subject && subject.uri === uri;
}
