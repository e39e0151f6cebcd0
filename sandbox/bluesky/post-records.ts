import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Feed } from '../social/feed.ts';
import type { StoredPost } from '../social/posts.ts';
import { entitiesOf } from '../social/records.ts';
import type { WorldPerson } from '../world/world.ts';
import { parseAtUri, toAtUri } from './addresses.ts';
import { picturesEmbed } from './blobs.ts';
import { derivedKey, fromTid } from './encoding.ts';
import { COLLECTIONS, type NamedRecord, namedRecord, type StoredRecord, valueAt } from './records.ts';
import type { BlueskyState } from './state.ts';

/** The record of a post. People who do not use the API get a derived record. */
export function recordOf(post: StoredPost, state: BlueskyState): NamedRecord {
  const stored = state.records.findByUri(state.core.written.find(post.id)?.key ?? '');
  return stored?.postId === post.id ? stored : derivedRecord(post, state);
}

function derivedRecord(post: StoredPost, state: BlueskyState): NamedRecord {
  const { id, authorId, text, language, createdAtMs, media } = post;
  const { written, generatedPosts } = state.core;
  // The referenced post at the time of writing, so that the record never changes.
  const earlier = (postId: string | undefined): StoredPost | undefined =>
    postId === undefined ? undefined : (written.find(postId) ?? generatedPosts.find(postId, createdAtMs));
  const [parent, quoted] = [earlier(post.replyTo), earlier(post.quote)];
  const facets = facetsOf(text, state);
  return namedRecord(
    { repo: state.directory.didOf({ id: authorId }), collection: COLLECTIONS.post, rkey: derivedKey(id, createdAtMs) },
    {
      text,
      createdAt: new Date(createdAtMs).toISOString(),
      langs: [language],
      ...(facets.length > 0 && { facets }),
      ...(parent && { reply: replyTo(recordOf(parent, state)) }),
      ...embedOf(media.length > 0 ? picturesEmbed(media) : undefined, quoted && recordOf(quoted, state)),
    },
  );
}

/** The facets of a text. Their offsets count bytes of UTF-8. */
function facetsOf(text: string, { core, directory }: BlueskyState): readonly JsonObject[] {
  return entitiesOf(text, { people: core.people, url: '' }).flatMap(({ type, start, end, url, userId }): JsonObject[] => {
    const shown = text.slice(start, end);
    const index = { byteStart: Buffer.byteLength(text.slice(0, start)), byteEnd: Buffer.byteLength(text.slice(0, end)) };
    if (type === 'url') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#link', uri: url ?? shown }] }];
    if (type === 'hashtag') return [{ index, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: shown.slice(1) }] }];
    if (userId === undefined) return [];
    return [{ index, features: [{ $type: 'app.bsky.richtext.facet#mention', did: directory.didOf({ id: userId }) }] }];
  });
}

function replyTo(parent: NamedRecord): JsonObject {
  return { root: valueAt(parent.record, 'reply', 'root') ?? strongRef(parent), parent: strongRef(parent) };
}

function embedOf(media: JsonObject | undefined, quoted: NamedRecord | undefined): { readonly embed?: JsonObject } {
  if (!quoted) return media ? { embed: media } : {};
  const record = { $type: 'app.bsky.embed.record', record: strongRef(quoted) };
  return { embed: media ? { $type: 'app.bsky.embed.recordWithMedia', record, media } : record };
}

/** A reference to one version of a record. */
export function strongRef({ uri, cid }: NamedRecord): JsonObject {
  return { uri, cid };
}

/** The id of the post at an address, whether or not `feed` shows it. */
export function postIdOf(uri: string, feed: Feed, { records, directory }: BlueskyState): string | undefined {
  const { repo = '', collection, rkey = '' } = parseAtUri(uri) ?? {};
  const author = directory.find(repo);
  if (!author || collection !== COLLECTIONS.post) return undefined;
  const stored = records.find(directory.didOf(author), collection, rkey);
  if (stored) return stored.postId;
  const atMs = Math.floor((fromTid(rkey) ?? 0) / 1000);
  return feed.all().find((post) => post.createdAtMs === atMs && post.authorId === author.id && derivedKey(post.id, atMs) === rkey)?.id;
}

/** The post at an address, if `feed` shows it. */
export function postAt(uri: string, feed: Feed, state: BlueskyState): StoredPost | undefined {
  const id = postIdOf(uri, feed, state);
  return id === undefined ? undefined : feed.find(id);
}

/** The profile of an account: the record that its owner wrote, or a derived one. */
export function profileRecord(person: WorldPerson, { records, directory }: BlueskyState): NamedRecord {
  const did = directory.didOf(person);
  const { displayName, bio: description, createdAt } = person;
  return (
    records.find(did, COLLECTIONS.profile, 'self') ??
    namedRecord(
      { repo: did, collection: COLLECTIONS.profile, rkey: 'self' },
      { displayName, description, createdAt: createdAt.toISOString() },
    )
  );
}

/** Any record: one from a client, a profile, or a post or a repost of people who do not use the API. */
export function findRecord(did: string, collection: string, rkey: string, state: BlueskyState): NamedRecord | StoredRecord | undefined {
  const person = state.directory.find(did);
  const stored = state.records.find(did, collection, rkey);
  if (stored || !person) return stored;
  if (collection === COLLECTIONS.profile && rkey === 'self') return profileRecord(person, state);
  const { feed } = state.core.snapshotFor(person);
  if (collection === COLLECTIONS.repost) return repostRecord(person, rkey, { feed, state });
  const post = postAt(toAtUri({ repo: did, collection, rkey }), feed, state);
  return post && recordOf(post, state);
}

function repostRecord(
  person: WorldPerson,
  rkey: string,
  { feed, state }: { readonly feed: Feed; readonly state: BlueskyState },
): NamedRecord | undefined {
  const place = { repo: state.directory.didOf(person), collection: COLLECTIONS.repost, rkey };
  for (const { repostOf, createdAtMs } of feed.timelineOf(person.id)) {
    const post = repostOf === undefined ? undefined : feed.find(repostOf);
    if (!post || reactionUri('repost', person, post, state) !== toAtUri(place)) continue;
    return namedRecord(place, { subject: strongRef(recordOf(post, state)), createdAt: new Date(createdAtMs).toISOString() });
  }
  return undefined;
}

/** The address of the record of a follow or a block. */
export function relationUri(kind: 'follow' | 'block', from: WorldPerson, to: WorldPerson, state: BlueskyState): string {
  const [repo, subject, collection] = [state.directory.didOf(from), state.directory.didOf(to), COLLECTIONS[kind]];
  const derived = { repo, collection, rkey: derivedKey(`${kind} ${from.id} ${to.id}`, from.createdAt.getTime()) };
  return state.records.about(subject, repo, collection)?.uri ?? toAtUri(derived);
}

/** The address of the record of a like or a repost. */
export function reactionUri(kind: 'like' | 'repost', person: WorldPerson, post: StoredPost, state: BlueskyState): string {
  const [repo, collection] = [state.directory.didOf(person), COLLECTIONS[kind]];
  const derived = { repo, collection, rkey: derivedKey(`${kind} ${person.id} ${post.id}`, post.createdAtMs) };
  return state.records.about(recordOf(post, state).uri, repo, collection)?.uri ?? toAtUri(derived);
}
