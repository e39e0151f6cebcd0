import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredMedia } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import { postIdOf } from './post-records.ts';
import { blobsIn, COLLECTIONS, type StoredRecord, subjectOf, textAt, valueAt } from './records.ts';
import type { SignedInRequest } from './request.ts';

/** Applies a new or changed record to the social world: posts, likes, reposts, follows and blocks. */
export function applyWritten(row: StoredRecord, request: SignedInRequest): StoredRecord {
  if (row.collection === COLLECTIONS.post) return { ...row, postId: writePost(row, request) };
  setReaction(row, true, request);
  return row;
}

/** Removes the effects of a record. */
export function applyDeleted(row: StoredRecord, request: SignedInRequest): void {
  const { written } = request.state.core;
  const post = written.find(row.postId ?? '');
  if (post) written.delete(post, request.nowMs);
  else setReaction(row, false, request);
}

function writePost({ uri, record, postId, createdAtMs: atMs, visibleAtMs }: StoredRecord, request: SignedInRequest): string {
  const { state, viewer, snapshot } = request;
  const { written } = state.core;
  const text = textAt(record, 'text') ?? '';
  const media = mediaOf(record);
  const known = written.find(postId ?? '');
  if (known) return written.edit(known, { text, media, atMs: visibleAtMs }).id;
  // An unknown post has its address as its id, so that the reference stays visible.
  const idOf = (address: string | undefined): string | undefined => address && (postIdOf(address, snapshot.feed, state) ?? address);
  return written.add({
    authorId: viewer.id,
    text,
    media,
    key: uri,
    visibleAtMs,
    createdAtMs: Math.min(Date.parse(textAt(record, 'createdAt') ?? ''), atMs),
    language: [valueAt(record, 'langs')].flat().find((language) => typeof language === 'string') ?? viewer.language,
    replyTo: idOf(textAt(record, 'reply', 'parent', 'uri')),
    quote: idOf(textAt(record, 'embed', 'record', 'uri') ?? textAt(record, 'embed', 'record', 'record', 'uri')),
    scheduled: false,
  }).id;
}

/** The files that a post shows. The picture of a link card is not one of them. */
function mediaOf(record: JsonObject): StoredMedia[] {
  const embed = valueAt(record, 'embed');
  if ([textAt(embed, '$type'), textAt(embed, 'media', '$type')].includes('app.bsky.embed.external')) return [];
  return blobsIn(embed).map(({ cid, mimeType, size }) => ({
    id: cid,
    kind: mimeType.startsWith('video/') ? 'video' : 'image',
    sizeBytes: size,
  }));
}

function setReaction({ collection, record }: StoredRecord, on: boolean, request: SignedInRequest): void {
  const { state, viewer, snapshot, nowMs: atMs } = request;
  const { relations, reactions, feed } = snapshot;
  const subject = subjectOf(record) ?? '';
  if (collection === COLLECTIONS.like || collection === COLLECTIONS.repost) {
    const postId = postIdOf(subject, feed, state);
    const kind = collection === COLLECTIONS.like ? 'like' : 'repost';
    if (postId !== undefined) reactions.set(kind, { userId: viewer.id, postId }, { on, atMs });
  }
  const other = state.directory.find(subject);
  if (!other) return;
  if (collection === COLLECTIONS.block) {
    relations.setBlock(viewer.id, other.id, on, atMs);
    if (!on) restoreFollows(viewer, other, request);
  } else if (collection === COLLECTIONS.follow && !relations.parted(viewer.id, other.id)) {
    relations.setFollow(viewer.id, other.id, on, atMs);
  }
}

/** A block hides follows. Their records remain. */
function restoreFollows(one: WorldPerson, other: WorldPerson, { state, snapshot: { relations }, nowMs }: SignedInRequest): void {
  if (relations.parted(one.id, other.id)) return;
  const follows = (from: WorldPerson, to: WorldPerson): boolean =>
    state.records.about(state.directory.didOf(to), state.directory.didOf(from), COLLECTIONS.follow) !== undefined;
  if (follows(one, other)) relations.setFollow(one.id, other.id, true, nowMs);
  if (follows(other, one)) relations.setFollow(other.id, one.id, true, nowMs);
}
