import { type JsonObject, isJsonObject } from '#src/operation/json.ts';
import type { SocialCore } from '../social/core.ts';
import type { StoredMedia } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import type { Directory } from './accounts.ts';
import { type Repositories, type StandingRecord, blobsIn, textAt, valueAt } from './records.ts';
import { COLLECTIONS, POST, type PostRecords, postKey } from './social-records.ts';

export interface EffectsOptions {
  readonly core: SocialCore;
  readonly directory: Directory;
  readonly repositories: Repositories;
  readonly posts: PostRecords;
}

/** The effects of records on the social core. */
export interface Effects {
  /** A record stands, anew or changed. */
  recordStands(row: StandingRecord): void;
  /** A record stands no more. */
  recordGone(row: StandingRecord, atMs: number): void;
  /** What a kill left undone at the last end. */
  settle(nowMs: number): void;
}

/** Makes posts, likes, reposts, follows and blocks of the records that say so. */
export function effectsOf({ core, directory, repositories, posts }: EffectsOptions): Effects {
  const { written } = core;

  function recordStands(row: StandingRecord): void {
    const person = directory.find(row.did);
    if (!person) return;
    if (row.collection === POST) post(row, person);
    else applyRelation(row, person, { on: true, atMs: row.atMs });
  }

  function post(row: StandingRecord, person: WorldPerson): void {
    const { id: authorId, language } = person;
    const { record, atMs, visibleAtMs } = row;
    const key = postKey(row);
    const text = textAt(record, 'text') ?? '';
    const media = mediaOf(record);
    const known = written.findByKey({ authorId, key, scheduled: false });
    if (known) {
      if (known.text !== text || idsOf(known.media) !== idsOf(media)) written.edit(known, { text, media, atMs: visibleAtMs });
      return;
    }
    const createdAtMs = Math.min(Date.parse(textAt(record, 'createdAt') ?? ''), atMs);
    const [firstLanguage] = languagesOf(record);
    written.add({
      authorId,
      text,
      media,
      key,
      visibleAtMs,
      createdAtMs: Number.isNaN(createdAtMs) ? atMs : createdAtMs,
      language: firstLanguage ?? language,
      replyTo: idOf(textAt(record, 'reply', 'parent', 'uri'), person),
      quote: idOf(textAt(record, 'embed', 'record', 'uri') ?? textAt(record, 'embed', 'record', 'record', 'uri'), person),
      scheduled: false,
    });
  }

  /** The stored id of a post. An unknown post has its address, so that the reference stays visible. */
  function idOf(uri: string | undefined, person: WorldPerson): string | undefined {
    return uri === undefined ? undefined : (posts.idOf(uri, core.snapshotFor(person).feed) ?? uri);
  }

  function applyRelation(
    { collection, record }: StandingRecord,
    person: WorldPerson,
    { on, atMs }: { readonly on: boolean; readonly atMs: number },
  ): void {
    const { relations, reactions, feed } = core.snapshotFor(person);
    const other = directory.find(textAt(record, 'subject') ?? '');
    const subject = textAt(record, 'subject', 'uri');
    const target = subject === undefined ? undefined : posts.idOf(subject, feed);
    if (collection === COLLECTIONS.like && target !== undefined) reactions.set('like', { userId: person.id, postId: target }, { on, atMs });
    if (collection === COLLECTIONS.repost && target !== undefined)
      reactions.set('repost', { userId: person.id, postId: target }, { on, atMs });
    if (collection === COLLECTIONS.follow && other && !relations.parted(person.id, other.id)) {
      relations.setFollow(person.id, other.id, on, atMs);
    }
    if (collection === COLLECTIONS.block && other) {
      relations.setBlock(person.id, other.id, on, atMs);
      if (!on) followAgain(person, other, atMs);
    }
  }

  /** A block hides follows, it does not end them: their records stand. */
  function followAgain(one: WorldPerson, other: WorldPerson, atMs: number): void {
    const { relations } = core.snapshotFor(one);
    if (relations.parted(one.id, other.id)) return;
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const follows = repositories.all(directory.didOf(from), COLLECTIONS.follow);
      if (follows.some(({ record }) => record['subject'] === directory.didOf(to))) relations.setFollow(from.id, to.id, true, atMs);
    }
  }

  return {
    recordStands,
    recordGone(row, atMs) {
      const person = directory.find(row.did);
      if (!person) return;
      const post = row.collection === POST && written.findByKey({ authorId: person.id, key: postKey(row), scheduled: false });
      if (post) written.delete(post, atMs);
      else applyRelation(row, person, { on: false, atMs });
    },
    settle(nowMs) {
      const rows = repositories.everything();
      const keys = new Set(rows.map(postKey));
      for (const row of rows.filter(({ collection }) => collection === POST)) recordStands(row);
      for (const left of written.all()) if (left.key !== undefined && !keys.has(left.key)) written.delete(left, nowMs);
    },
  };
}

function mediaOf(record: JsonObject): StoredMedia[] {
  const embed = valueAt(record, 'embed');
  if (!isJsonObject(embed)) return [];
  // The picture of a link is no picture of the post.
  if ([textAt(embed, '$type'), textAt(embed, 'media', '$type')].includes('app.bsky.embed.external')) return [];
  return blobsIn(embed).flatMap(({ cid, mimeType, size }) => {
    const kind = mediaKindOf(mimeType);
    return kind ? [{ id: cid, kind, sizeBytes: size }] : [];
  });
}

/** The kind of a file in a post; undefined for files that are not shown, such as captions. */
function mediaKindOf(mimeType: string): StoredMedia['kind'] | undefined {
  if (mimeType.startsWith('image/')) return 'image';
  return mimeType.startsWith('video/') ? 'video' : undefined;
}

function languagesOf(record: JsonObject): readonly string[] {
  const languages = valueAt(record, 'langs');
  return Array.isArray(languages) ? languages.filter((language) => typeof language === 'string') : [];
}

function idsOf(media: readonly StoredMedia[]): string {
  return media.map(({ id }) => id).join(' ');
}
