import { type JsonObject, isJsonList } from '#src/clients/operation/json.ts';
import type { StoredPost } from '../social/posts.ts';
import type { WorldPerson } from '../world/world.ts';
import { parseAtUri } from './addresses.ts';
import { postAt, recordOf } from './post-records.ts';
import { COLLECTIONS, objectsAt, type StoredRecord, textAt, valueAt } from './records.ts';
import type { SignedInRequest } from './request.ts';

const RULE = 'app.bsky.feed.threadgate#';

/** The record with the reply rules of a thread. It has the key of the first post. */
export function threadgateOf(rootUri: string, { state, nowMs }: SignedInRequest): StoredRecord | undefined {
  const { repo = '', rkey = '' } = parseAtUri(rootUri) ?? {};
  const gate = state.records.find(repo, COLLECTIONS.threadgate, rkey);
  return gate && gate.visibleAtMs <= nowMs ? gate : undefined;
}

/** Whether the author of a post turned quotes off. The rule has the key of the post. */
export function isQuotesOff(uri: string, { state, nowMs }: SignedInRequest): boolean {
  const { repo = '', rkey = '' } = parseAtUri(uri) ?? {};
  const gate = state.records.find(repo, COLLECTIONS.postgate, rkey);
  return gate !== undefined && gate.visibleAtMs <= nowMs && objectsAt(gate.record, 'embeddingRules').length > 0;
}

/** Whether the reply rules of a thread allow a person to reply. */
export function canReply(person: WorldPerson, root: StoredPost, request: SignedInRequest): boolean {
  const { state, snapshot } = request;
  const { uri, record } = recordOf(root, state);
  const rules = valueAt(threadgateOf(uri, request)?.record, 'allow');
  if (root.authorId === person.id || !isJsonList(rules)) return true;
  return rules.some((rule) => {
    switch (textAt(rule, '$type')) {
      case `${RULE}mentionRule`:
        return mentions(record, state.directory.didOf(person));
      case `${RULE}followingRule`:
        return snapshot.relations.follows(root.authorId, person.id);
      case `${RULE}followerRule`:
        return snapshot.relations.follows(person.id, root.authorId);
      default:
        return false;
    }
  });
}

/** The first post of a thread; undefined if the viewer does not see it. */
export function rootOf(post: StoredPost, { state, snapshot }: SignedInRequest): StoredPost | undefined {
  const rootUri = textAt(recordOf(post, state).record, 'reply', 'root', 'uri');
  return rootUri === undefined ? post : postAt(rootUri, snapshot.feed, state);
}

/** The replies to a post that the rules of its thread allow. */
export function repliesTo(post: StoredPost, request: SignedInRequest): readonly StoredPost[] {
  return request.snapshot.feed.answersTo(post.id).filter((reply) => {
    const root = rootOf(reply, request);
    const author = request.snapshot.people.find(reply.authorId);
    return !root || !author || canReply(author, root, request);
  });
}

/** Whether a record mentions an account. */
export function mentions(record: JsonObject, did: string): boolean {
  return objectsAt(record, 'facets').some((facet) => objectsAt(facet, 'features').some((feature) => textAt(feature, 'did') === did));
}
