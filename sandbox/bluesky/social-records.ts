import type { JsonObject } from '#src/operation/json.ts';
import type { Post } from '#src/social/records/post.ts';
import type { SocialCore } from '../social/core.ts';
import { entitiesOf } from '../social/records.ts';
import type { Feed } from '../social/feed.ts';
import type { StoredPost } from '../social/posts.ts';
import { below, createDice } from '../world/dice.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Directory } from './accounts.ts';
import { fromAtUri } from './at-uri.ts';
import { picturesEmbed } from './blobs.ts';
import { fromTid } from './encoding.ts';
import { type NamedRecord, type Repositories, type StandingRecord, derived, derivedKey, strongRef, textAt, valueAt } from './records.ts';

/** The facets of a text. Positions count bytes of UTF-8, and people have their DIDs. */
function facetsOf(text: string, entities: Post['entities'], didOf: (userId: string) => string | undefined): readonly JsonObject[] {
  return entities.flatMap(({ type, start, end, url, userId }): JsonObject[] => {
    const shown = text.slice(start, end);
    const did = userId === undefined ? undefined : didOf(userId);
    const index = { byteStart: Buffer.byteLength(text.slice(0, start)), byteEnd: Buffer.byteLength(text.slice(0, end)) };
    if (type === 'url') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#link', uri: url ?? shown }] }];
    if (type === 'hashtag') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: shown.slice(1) }] }];
    return did === undefined ? [] : [{ index, features: [{ $type: 'app.bsky.richtext.facet#mention', did }] }];
  });
}

export const POST = 'app.bsky.feed.post';
const MOST_REMEMBERED = 10_000;

/** Which record is which post of the stage. */
export interface PostRecords {
  /** The record of a post: as it was written, or, of what people wrote by themselves, as they would have written it. */
  of(post: StoredPost): NamedRecord;
  /** The post of a record, if `feed` shows it. */
  find(uri: string, feed: Feed): StoredPost | undefined;
  /** Its id on the stage, also where `feed` does not show it yet. */
  idOf(uri: string, feed: Feed): string | undefined;
}

export interface PostRecordsOptions {
  readonly core: Pick<SocialCore, 'people' | 'generatedPosts' | 'written'>;
  readonly directory: Directory;
  readonly repositories: Repositories;
}

/** The key under which the stage keeps the post of a record: with the birth, since a key can be used again. */
export function postKey({ uri, birth }: Pick<StandingRecord, 'uri' | 'birth'>): string {
  return `${uri} ${birth}`;
}

export function postRecordsOf({ core, directory, repositories }: PostRecordsOptions): PostRecords {
  const { people, generatedPosts, written } = core;
  const remembered = new Map<string, NamedRecord>();

  function standing(uri: string): StandingRecord | undefined {
    const address = fromAtUri(uri);
    const did = address && (address.repo.startsWith('did:') ? address.repo : didOfActor(address.repo));
    return did === undefined || !address ? undefined : repositories.find(did, address.collection, address.rkey);
  }

  function didOfActor(actor: string): string | undefined {
    const person = directory.find(actor);
    return person && directory.didOf(person);
  }

  function of(post: StoredPost): NamedRecord {
    const key = written.find(post.id)?.key;
    const stored = key === undefined ? undefined : standing(key.slice(0, key.indexOf(' ')));
    if (stored && postKey(stored) === key) return stored;
    const known = remembered.get(post.id);
    if (known) return known;
    const made = madeOf(post);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(post.id, made);
    return made;
  }

  function madeOf(post: StoredPost): NamedRecord {
    const { id, authorId, text, language, createdAtMs, media } = post;
    const parent = earlier(post.replyTo, createdAtMs);
    const quoted = earlier(post.quote, createdAtMs);
    const facets = facetsOf(text, entitiesOf(text, { people, url: '' }), (userId) => directory.didOf({ id: userId }));
    const record = {
      text,
      createdAt: new Date(createdAtMs).toISOString(),
      langs: [language],
      ...(facets.length > 0 && { facets }),
      ...(parent && { reply: replyTo(of(parent)) }),
      ...embedded(media.length > 0 ? picturesEmbed(media) : undefined, quoted && of(quoted)),
    };
    return derived({ did: directory.didOf({ id: authorId }), collection: POST, rkey: derivedKey(id, createdAtMs), record });
  }

  /** The referenced post at the time of writing, so that the record never changes. */
  function earlier(id: string | undefined, atMs: number): StoredPost | undefined {
    return id === undefined ? undefined : (written.find(id) ?? generatedPosts.find(id, atMs));
  }

  /** A post that people wrote by themselves. */
  function findMade(uri: string, feed: Feed): StoredPost | undefined {
    const { repo, collection, rkey } = fromAtUri(uri) ?? {};
    const tick = rkey === undefined ? undefined : fromTid(rkey);
    if (collection !== POST || repo === undefined || !tick) return undefined;
    const authorId = directory.find(repo)?.id;
    const atMs = Math.floor(tick.atUs / 1000);
    return feed.all().find((post) => post.createdAtMs === atMs && post.authorId === authorId && derivedKey(post.id, atMs) === rkey);
  }

  function idOf(uri: string, feed: Feed): string | undefined {
    const row = standing(uri);
    if (!row) return findMade(uri, feed)?.id;
    return written.findByKey({ authorId: directory.find(row.did)?.id ?? '', key: postKey(row), scheduled: false })?.id;
  }

  return {
    of,
    idOf,
    find(uri, feed) {
      const id = idOf(uri, feed);
      return id === undefined ? undefined : feed.find(id);
    },
  };
}

function replyTo(parent: NamedRecord): JsonObject {
  return { root: valueAt(parent.record, 'reply', 'root') ?? strongRef(parent), parent: strongRef(parent) };
}

function embedded(media: JsonObject | undefined, quoted: NamedRecord | undefined): { readonly embed?: JsonObject } {
  if (!quoted) return media ? { embed: media } : {};
  const record = { $type: 'app.bsky.embed.record', record: strongRef(quoted) };
  return { embed: media ? { $type: 'app.bsky.embed.recordWithMedia', record, media } : record };
}

export const COLLECTIONS = {
  follow: 'app.bsky.graph.follow',
  block: 'app.bsky.graph.block',
  like: 'app.bsky.feed.like',
  repost: 'app.bsky.feed.repost',
} as const;

/** People of the world followed each other at some time of this year. */
const FOLLOWED_FROM_MS = Date.UTC(2025, 0, 1);
const FOLLOWED_FOR_MS = 300 * 86_400_000;

/** A record about a person or a post, with its instant. */
interface DatedRecord extends NamedRecord {
  readonly atMs: number;
}

/** The records of follows, blocks, likes and reposts. */
export interface GraphRecords {
  /** That somebody follows or blocks another; asked only where they do. */
  ofRelation(kind: 'follow' | 'block', from: WorldPerson, to: WorldPerson): DatedRecord;
  /** That somebody likes or passed on a post. */
  ofReaction(kind: 'like' | 'repost', person: WorldPerson, post: StoredPost, atMs: number): DatedRecord;
}

export interface GraphRecordsOptions {
  readonly directory: Directory;
  readonly repositories: Repositories;
  readonly posts: PostRecords;
}

export function graphRecordsOf({ directory, repositories, posts }: GraphRecordsOptions): GraphRecords {
  function ofRelation(kind: 'follow' | 'block', from: WorldPerson, to: WorldPerson): DatedRecord {
    const [did, subject, collection] = [directory.didOf(from), directory.didOf(to), COLLECTIONS[kind]];
    const stored = repositories.all(did, collection).find(({ record }) => record['subject'] === subject);
    if (stored) return datedRecord(stored);
    const salt = `${kind} ${from.id} ${to.id}`;
    const atMs = FOLLOWED_FROM_MS + below(FOLLOWED_FOR_MS, createDice(0, salt)(2));
    const record = { subject, createdAt: new Date(atMs).toISOString() };
    return { ...derived({ did, collection, rkey: derivedKey(salt, atMs), record }), atMs };
  }

  function ofReaction(kind: 'like' | 'repost', person: WorldPerson, post: StoredPost, atMs: number): DatedRecord {
    const [did, collection, subject] = [directory.didOf(person), COLLECTIONS[kind], posts.of(post)];
    const stored = repositories.all(did, collection).find(({ record }) => textAt(record, 'subject', 'uri') === subject.uri);
    if (stored) return datedRecord(stored);
    const record = { subject: strongRef(subject), createdAt: new Date(atMs).toISOString() };
    return { ...derived({ did, collection, rkey: derivedKey(`${kind} ${person.id} ${post.id}`, atMs), record }), atMs };
  }

  return { ofRelation, ofReaction };
}

function datedRecord({ uri, cid, record, atMs }: StandingRecord): DatedRecord {
  return { uri, cid, record, atMs };
}
