import type { JsonObject } from '#src/operation/json.ts';
import { entitiesOf } from '../../social/entities.ts';
import type { Feed } from '../../social/feed.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { SocialStage } from '../../social/stage.ts';
import type { Directory } from '../accounts/directory.ts';
import { fromAtUri } from '../data/at-uri.ts';
import { facetsOf } from '../data/facets.ts';
import { fromTid } from '../data/tid.ts';
import { derived, derivedKey, strongRef, type NamedRecord } from './derived.ts';
import { picturesEmbed } from './pictures.ts';
import { valueAt } from './references.ts';
import type { Repositories, StandingRecord } from './repository.ts';

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
  readonly stage: Pick<SocialStage, 'people' | 'chatter' | 'written'>;
  readonly directory: Directory;
  readonly repositories: Repositories;
}

/** The key under which the stage keeps the post of a record: with the birth, since a key can be used again. */
export function stageKey({ uri, birth }: Pick<StandingRecord, 'uri' | 'birth'>): string {
  return `${uri} ${birth}`;
}

export function postRecordsOf({ stage, directory, repositories }: PostRecordsOptions): PostRecords {
  const { people, chatter, written } = stage;
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
    const own = key === undefined ? undefined : standing(key.slice(0, key.indexOf(' ')));
    if (own && stageKey(own) === key) return own;
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

  /** What a post refers to, as it stood when the post was written: the record says the same for ever. */
  function earlier(id: string | undefined, atMs: number): StoredPost | undefined {
    return id === undefined ? undefined : (written.find(id) ?? chatter.find(id, atMs));
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
    return written.findByKey({ authorId: directory.find(row.did)?.id ?? '', key: stageKey(row), scheduled: false })?.id;
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
