import { isJsonList, type JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import type { WorldPerson } from '../../world/world.ts';
import { fromAtUri } from '../data/at-uri.ts';
import type { NamedRecord } from '../repo/derived.ts';
import { objectsAt, textAt, valueAt } from '../repo/references.ts';
import type { StandingRecord } from '../repo/repository.ts';
import type { Look } from './look.ts';

const RULE = 'app.bsky.feed.threadgate#';
const DISABLED = 'app.bsky.feed.postgate#disableRule';
const LIST_ITEM = 'app.bsky.graph.listitem';

/** What the author of a conversation says about who may answer. */
export function threadgateOf(look: Look, rootUri: string): StandingRecord | undefined {
  return gateOf(look, rootUri, 'app.bsky.feed.threadgate');
}

/** What the author of a post says about who may show it. */
function postgateOf(look: Look, uri: string): StandingRecord | undefined {
  return gateOf(look, uri, 'app.bsky.feed.postgate');
}

/** A gate stands in the same repository under the same key. */
function gateOf({ bluesky, call }: Look, uri: string, collection: string): StandingRecord | undefined {
  const { repo, rkey } = fromAtUri(uri) ?? {};
  const owner = repo === undefined ? undefined : bluesky.directory.find(repo);
  const row = owner && rkey !== undefined ? bluesky.repositories.find(bluesky.directory.didOf(owner), collection, rkey) : undefined;
  return row && row.visibleAtMs <= call.nowMs ? row : undefined;
}

/** Whether somebody may answer in the conversation that a post began. */
export function mayAnswer(look: Look, person: WorldPerson, root: NamedRecord): boolean {
  const { bluesky, moment } = look;
  const author = bluesky.directory.find(fromAtUri(root.uri)?.repo ?? '');
  const gate = threadgateOf(look, root.uri);
  if (!author || author.id === person.id || !isJsonList(valueAt(gate?.record, 'allow'))) return true;
  const did = bluesky.directory.didOf(person);
  return objectsAt(gate?.record, 'allow').some((rule) => {
    switch (textAt(rule, '$type')) {
      case `${RULE}mentionRule`:
        return mentions(root.record, did);
      case `${RULE}followingRule`:
        return moment.relations.follows(author.id, person.id);
      case `${RULE}followerRule`:
        return moment.relations.follows(person.id, author.id);
      case `${RULE}listRule`:
        return isOn(look, { author, list: textAt(rule, 'list') ?? '', did });
      default:
        return false;
    }
  });
}

/** The answers to a post, without those that its conversation does not take. */
export function answersOf(look: Look, { id }: StoredPost): readonly StoredPost[] {
  return look.moment.feed.answersTo(id).filter((answer) => isTaken(look, answer));
}

/** Whether the conversation that a post answers in takes it; whatever answers nothing is taken. */
export function isTaken(look: Look, answer: StoredPost): boolean {
  const { bluesky, moment } = look;
  const rootUri = textAt(bluesky.posts.of(answer).record, 'reply', 'root', 'uri');
  const root = rootUri === undefined ? undefined : bluesky.posts.find(rootUri, moment.feed);
  const person = moment.people.find(answer.authorId);
  return !root || !person || mayAnswer(look, person, bluesky.posts.of(root));
}

/** Whether nobody else may show a post. */
export function isEmbeddingDisabled(look: Look, uri: string): boolean {
  return objectsAt(postgateOf(look, uri)?.record, 'embeddingRules').some((rule) => textAt(rule, '$type') === DISABLED);
}

/** Whether the author of a post does not want it to be shown by another. */
export function isDetached(look: Look, { shown, by }: { readonly shown: string; readonly by: string }): boolean {
  const isOwn = fromAtUri(shown)?.repo === fromAtUri(by)?.repo;
  if (!isOwn && isEmbeddingDisabled(look, shown)) return true;
  const detached = valueAt(postgateOf(look, shown)?.record, 'detachedEmbeddingUris');
  return isJsonList(detached) && detached.includes(by);
}

export function mentions(record: JsonObject, did: string): boolean {
  return objectsAt(record, 'facets').some((facet) => objectsAt(facet, 'features').some((feature) => textAt(feature, 'did') === did));
}

function isOn(
  { bluesky }: Look,
  { author, list, did }: { readonly author: WorldPerson; readonly list: string; readonly did: string },
): boolean {
  const items = bluesky.repositories.all(bluesky.directory.didOf(author), LIST_ITEM);
  return items.some(({ record }) => record['list'] === list && record['subject'] === did);
}
