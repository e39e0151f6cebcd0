import { createHash } from 'node:crypto';
import type { JsonObject } from '#src/operation/json.ts';
import { fold, hashtagOf, spelledHashtagsIn } from '../social/hashtags.ts';
import type { StoredPost } from '../social/posts.ts';
import { postsAbout } from '../social/discovery.ts';
import { isOnTimeline } from '../social/feed.ts';
import type { WorldPerson } from '../world/world.ts';
import { didFor } from './accounts.ts';
import { fromAtUri, toAtUri } from './at-uri.ts';
import { toBase32 } from './encoding.ts';
import { toProfile } from './profile-view.ts';
import { type StandingRecord, derived, objectsAt, textAt, valueAt } from './records.ts';
import { type BlueskyView, selfLabels } from './view.ts';

const LIST = 'app.bsky.graph.list';
const LIST_ITEM = 'app.bsky.graph.listitem';

/** Somebody on a list, and the record that put them there. */
export interface ListMember {
  readonly uri: string;
  readonly person: WorldPerson;
}

/** The list at an address; undefined where there is none, or where a block hides it. */
export function findList(uri: string, { bluesky, snapshot, viewer, call }: BlueskyView): StandingRecord | undefined {
  const { repo, collection, rkey } = fromAtUri(uri) ?? {};
  const owner = repo === undefined ? undefined : bluesky.directory.find(repo);
  if (!owner || collection !== LIST || rkey === undefined || snapshot.relations.parted(viewer.id, owner.id)) return undefined;
  const row = bluesky.repositories.find(bluesky.directory.didOf(owner), LIST, rkey);
  return row && row.visibleAtMs <= call.nowMs ? row : undefined;
}

/** The lists of somebody that the viewer sees, the latest first. */
export function listsOf(owner: WorldPerson, view: BlueskyView): readonly StandingRecord[] {
  const rows = view.bluesky.repositories.all(view.bluesky.directory.didOf(owner), LIST);
  return rows.flatMap(({ uri }) => findList(uri, view) ?? []).toReversed();
}

/** Who is on a list, the latest first. */
export function membersOf({ did, uri }: StandingRecord, { bluesky }: BlueskyView): readonly ListMember[] {
  const items = bluesky.repositories.all(did, LIST_ITEM).filter(({ record }) => record['list'] === uri);
  return items.toReversed().flatMap((item) => {
    const person = bluesky.directory.find(textAt(item.record, 'subject') ?? '');
    return person ? [{ uri: item.uri, person }] : [];
  });
}

export function toList(list: StandingRecord, view: BlueskyView): JsonObject {
  const { directory } = view.bluesky;
  const owner = directory.find(list.did);
  if (!owner) throw new Error(`list ${list.uri} is nobody's`);
  const { description, descriptionFacets } = list.record;
  return { ...toBasicList(list, view), creator: toProfile(owner, view), description, descriptionFacets };
}

/** The lists that a gate names. */
export function findListOf(gate: JsonObject, view: BlueskyView): readonly JsonObject[] {
  return objectsAt(gate, 'allow').flatMap((rule) => {
    const list = findList(textAt(rule, 'list') ?? '', view);
    return list ? [toBasicList(list, view)] : [];
  });
}

function toBasicList(list: StandingRecord, view: BlueskyView): JsonObject {
  const { uri, cid, record, did, atMs } = list;
  const avatar = textAt(record, 'avatar', 'ref', '$link');
  return {
    uri,
    cid,
    name: valueAt(record, 'name'),
    purpose: valueAt(record, 'purpose'),
    avatar: avatar === undefined ? undefined : `${view.url}/img/avatar/plain/${did}/${avatar}@jpeg`,
    listItemCount: membersOf(list, view).length,
    labels: selfLabels(list, { did, atMs }),
    viewer: { muted: false },
    indexedAt: new Date(atMs).toISOString(),
  };
}

const GENERATOR = 'app.bsky.feed.generator';
const BLUESKY_DID = 'did:plc:z72i7hdynmk6r22z27h6tvur';
const DISCOVER_KEY = 'whats-hot';
const SINCE = new Date('2023-05-01T00:00:00Z');
/** A post with half of the likes of another comes right after it where it is so much younger. */
const MS_A_DOUBLING = 6 * 3_600_000;

/** A feed that is no timeline: what is discussed most, or all about one hashtag. */
export interface Generator {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly by: { readonly did: string; readonly handle: string; readonly displayName: string };
  /** As they stand in the feed. */
  readonly posts: () => readonly StoredPost[];
}

/** The address of the feed about a hashtag, which is given with #. */
export function topicUri(hashtag: string): string {
  return toAtUri({ repo: didFor('trending'), collection: GENERATOR, rkey: topicKey(hashtag) });
}

export function findGenerator(uri: string, view: BlueskyView): Generator | undefined {
  const { repo, collection, rkey = '' } = fromAtUri(uri) ?? {};
  if (collection !== GENERATOR) return undefined;
  const { snapshot } = view;
  if (repo === BLUESKY_DID && rkey === DISCOVER_KEY) {
    const by = { did: BLUESKY_DID, handle: 'bsky.app', displayName: 'Bluesky' };
    return { uri, name: 'Discover', description: 'Trending content from your personal network', by, posts: () => discussed(view) };
  }
  const hashtag = repo === didFor('trending') ? hashtagWithKey(rkey, view) : undefined;
  if (hashtag === undefined) return undefined;
  const by = { did: didFor('trending'), handle: 'trending.sandbox.test', displayName: 'Trending' };
  const id = fold(hashtag).slice(1);
  const posts = (): readonly StoredPost[] => postsAbout({ id }, snapshot.feed).filter(isOnTimeline);
  return { uri, name: hashtag.slice(1), description: `All about ${hashtag}.`, by, posts };
}

export function toGenerator({ uri, name, description, by }: Generator, view: BlueskyView): JsonObject {
  const { rkey = '' } = fromAtUri(uri) ?? {};
  const record = { did: `did:web:${new URL(view.url).hostname}`, displayName: name, description, createdAt: SINCE.toISOString() };
  return {
    uri,
    cid: derived({ did: by.did, collection: GENERATOR, rkey, record }).cid,
    did: record.did,
    creator: { ...by, viewer: { muted: false, blockedBy: false }, labels: [], indexedAt: SINCE.toISOString() },
    displayName: name,
    description,
    likeCount: 0,
    labels: [],
    viewer: {},
    indexedAt: SINCE.toISOString(),
  };
}

/** Popular and recent posts are first. The order does not depend on the current time, so that pages fit together. */
function discussed({ snapshot }: BlueskyView): readonly StoredPost[] {
  const posts = snapshot.feed.all().filter((post) => post.replyTo === undefined && isOnTimeline(post));
  const ranked = posts.map((post) => ({ post, rank: Math.log2(1 + post.likes + 3 * post.reposts) + post.createdAtMs / MS_A_DOUBLING }));
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ post }) => post);
}

/** A hashtag as a record key, which takes few letters. */
function topicKey(hashtag: string): string {
  const id = fold(hashtag).slice(1);
  return /^[a-z0-9_]+$/.test(id) ? id : toBase32(createHash('sha256').update(id).digest()).slice(0, 24);
}

function hashtagWithKey(rkey: string, { snapshot }: BlueskyView): string | undefined {
  const game = snapshot.games.find((one) => topicKey(hashtagOf(one)) === rkey);
  if (game) return hashtagOf(game);
  return snapshot.feed
    .all()
    .flatMap(({ text }) => spelledHashtagsIn(text))
    .find((hashtag) => topicKey(hashtag) === rkey);
}
