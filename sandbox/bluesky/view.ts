import { type JsonObject, isJsonList } from '#src/operation/json.ts';
import { generatedReactions } from '../social/engagement.ts';
import type { StoredPost } from '../social/posts.ts';
import type { Snapshot } from '../social/snapshot.ts';
import type { WorldPerson } from '../world/world.ts';
import { fromAtUri } from './at-uri.ts';
import { type Bluesky, NAME } from './core.ts';
import { type SignedCall } from './endpoint.ts';
import { invalidRequest } from './refusal.ts';
import { type NamedRecord, type StandingRecord, objectsAt, textAt, valueAt } from './records.ts';

/** The network as one request of somebody finds it. */
export interface BlueskyView {
  readonly bluesky: Bluesky;
  readonly viewer: WorldPerson;
  readonly snapshot: Snapshot & { readonly viewer: WorldPerson | undefined };
  /** The address of pictures and videos, such as `http://127.0.0.1:8081/bluesky`. */
  readonly url: string;
  readonly call: SignedCall;
}

export function viewOf(bluesky: Bluesky, call: SignedCall): BlueskyView {
  const viewer = call.session.person;
  return { bluesky, viewer, snapshot: bluesky.core.snapshotFor(viewer), url: `${call.origin}/${NAME}`, call };
}

/** The person with a DID or a handle. Refuses unknown and taken-down accounts. */
export function requireActor({ bluesky }: BlueskyView, actor: string): WorldPerson {
  const person = bluesky.directory.find(actor);
  if (!person) throw invalidRequest('Profile not found');
  if (bluesky.accountStates.of(bluesky.directory.didOf(person)).takenDown)
    throw invalidRequest('Account has been suspended', 'AccountTakedown');
  return person;
}

/** The post at an address, if the viewer sees it. */
export function findPost({ bluesky, snapshot }: BlueskyView, uri: string): StoredPost | undefined {
  return bluesky.posts.find(uri, snapshot.feed);
}

/** Whether it is a block that hides what stands at an address. */
export function isBlocked({ bluesky, snapshot, viewer }: BlueskyView, uri: string): boolean {
  const author = bluesky.directory.find(fromAtUri(uri)?.repo ?? '');
  return author !== undefined && snapshot.relations.parted(viewer.id, author.id);
}

export function authorOf({ snapshot }: BlueskyView, { id, authorId }: StoredPost): WorldPerson {
  const author = snapshot.people.find(authorId);
  if (!author) throw new Error(`post ${id} is by nobody`);
  return author;
}

const RULE = 'app.bsky.feed.threadgate#';
const DISABLED = 'app.bsky.feed.postgate#disableRule';
const LIST_ITEM = 'app.bsky.graph.listitem';

/** The threadgate of a conversation. */
export function threadgateOf(view: BlueskyView, rootUri: string): StandingRecord | undefined {
  return gateOf(view, rootUri, 'app.bsky.feed.threadgate');
}

/** The postgate of a post. */
function postgateOf(view: BlueskyView, uri: string): StandingRecord | undefined {
  return gateOf(view, uri, 'app.bsky.feed.postgate');
}

/** A gate stands in the same repository under the same key. */
function gateOf({ bluesky, call }: BlueskyView, uri: string, collection: string): StandingRecord | undefined {
  const { repo, rkey } = fromAtUri(uri) ?? {};
  const owner = repo === undefined ? undefined : bluesky.directory.find(repo);
  const row = owner && rkey !== undefined ? bluesky.repositories.find(bluesky.directory.didOf(owner), collection, rkey) : undefined;
  return row && row.visibleAtMs <= call.nowMs ? row : undefined;
}

/** Whether the threadgate lets a person reply in a conversation. */
export function mayAnswer(view: BlueskyView, person: WorldPerson, root: NamedRecord): boolean {
  const { bluesky, snapshot } = view;
  const author = bluesky.directory.find(fromAtUri(root.uri)?.repo ?? '');
  const gate = threadgateOf(view, root.uri);
  if (!author || author.id === person.id || !isJsonList(valueAt(gate?.record, 'allow'))) return true;
  const did = bluesky.directory.didOf(person);
  return objectsAt(gate?.record, 'allow').some((rule) => {
    switch (textAt(rule, '$type')) {
      case `${RULE}mentionRule`:
        return mentions(root.record, did);
      case `${RULE}followingRule`:
        return snapshot.relations.follows(author.id, person.id);
      case `${RULE}followerRule`:
        return snapshot.relations.follows(person.id, author.id);
      case `${RULE}listRule`:
        return isOn(view, { author, list: textAt(rule, 'list') ?? '', did });
      default:
        return false;
    }
  });
}

/** The replies to a post that its threadgate allows. */
export function answersOf(view: BlueskyView, { id }: StoredPost): readonly StoredPost[] {
  return view.snapshot.feed.answersTo(id).filter((answer) => isTaken(view, answer));
}

/** Whether the conversation that a post answers in takes it; whatever answers nothing is taken. */
export function isTaken(view: BlueskyView, answer: StoredPost): boolean {
  const { bluesky, snapshot } = view;
  const rootUri = textAt(bluesky.posts.of(answer).record, 'reply', 'root', 'uri');
  const root = rootUri === undefined ? undefined : bluesky.posts.find(rootUri, snapshot.feed);
  const person = snapshot.people.find(answer.authorId);
  return !root || !person || mayAnswer(view, person, bluesky.posts.of(root));
}

/** Whether the postgate disables quotes of a post. */
export function isEmbeddingDisabled(view: BlueskyView, uri: string): boolean {
  return objectsAt(postgateOf(view, uri)?.record, 'embeddingRules').some((rule) => textAt(rule, '$type') === DISABLED);
}

/** Whether the author of a post does not want it to be shown by another. */
export function isDetached(view: BlueskyView, { shown, by }: { readonly shown: string; readonly by: string }): boolean {
  const isSameAuthor = fromAtUri(shown)?.repo === fromAtUri(by)?.repo;
  if (!isSameAuthor && isEmbeddingDisabled(view, shown)) return true;
  const detached = valueAt(postgateOf(view, shown)?.record, 'detachedEmbeddingUris');
  return isJsonList(detached) && detached.includes(by);
}

export function mentions(record: JsonObject, did: string): boolean {
  return objectsAt(record, 'facets').some((facet) => objectsAt(facet, 'features').some((feature) => textAt(feature, 'did') === did));
}

function isOn(
  { bluesky }: BlueskyView,
  { author, list, did }: { readonly author: WorldPerson; readonly list: string; readonly did: string },
): boolean {
  const items = bluesky.repositories.all(bluesky.directory.didOf(author), LIST_ITEM);
  return items.some(({ record }) => record['list'] === list && record['subject'] === did);
}

/** The labels that the author of a record applied to it. */
export function selfLabels(
  { uri, cid, record }: NamedRecord,
  { did, atMs }: { readonly did: string; readonly atMs: number },
): readonly JsonObject[] {
  const cts = new Date(atMs).toISOString();
  return objectsAt(record, 'labels', 'values').flatMap((label) => {
    const val = textAt(label, 'val');
    return val === undefined ? [] : [{ src: did, uri, cid, val, cts }];
  });
}

/** Somebody who likes a post or passed it on. */
export interface Reactor {
  readonly id: string;
  readonly person: WorldPerson;
  readonly atMs: number;
}

/** The people who like or reposted a post: first those from the API, the latest first, then generated ones. */
export function reactorsOf(kind: 'like' | 'repost', post: StoredPost, { snapshot }: BlueskyView): readonly Reactor[] {
  const standing = snapshot.reactions.on(kind, post.id).filter(({ on }) => on);
  const recorded = standing.flatMap(({ userId, atMs }) => {
    const person = snapshot.people.find(userId);
    return person ? [{ id: person.id, person, atMs }] : [];
  });
  const others = generatedReactions(kind, post, snapshot).map(({ person, atMs }) => ({ id: person.id, person, atMs }));
  return [...recorded, ...others.toReversed()];
}
