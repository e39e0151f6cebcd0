import type { JsonObject } from '#src/clients/operation/json.ts';
import type { WorldPerson } from '../world/world.ts';
import { parseAtUri } from './addresses.ts';
import { toProfile } from './profile-json.ts';
import { COLLECTIONS, type StoredRecord, textAt } from './records.ts';
import { invalidRequest } from './refusal.ts';
import { actor, atUri, pageAnswer, paging, query, requireActor, type SignedInRequest, type XrpcRoute } from './request.ts';

/** `app.bsky.graph`: lists of people. */
export const listRoutes: readonly XrpcRoute[] = [
  query('app.bsky.graph.getLists', { actor, ...paging }, ({ actor: name, ...page }, request) => {
    const { state } = request;
    const did = state.directory.didOf(requireActor(name, request));
    const lists = state.records.in(did, COLLECTIONS.list).flatMap((row) => findList(row.uri, request) ?? []);
    const items = lists.map((list) => ({ ...list, id: list.uri }));
    return pageAnswer('lists', items, page, request, (list) => toList(list, request));
  }),

  query('app.bsky.graph.getList', { list: atUri, ...paging }, ({ list: uri, ...page }, request) => {
    const list = requireList(uri, request);
    const members = membersOf(list, request);
    const answer = pageAnswer('items', members, page, request, ({ id, person }) => ({ uri: id, subject: toProfile(person, request) }));
    return { ...answer, list: toList(list, request) };
  }),
];

/** The list at an address; undefined if it does not exist, is not visible yet, or if a block hides it. */
function findList(uri: string, { state, snapshot, viewer, nowMs }: SignedInRequest): StoredRecord | undefined {
  const { repo = '', collection, rkey = '' } = parseAtUri(uri) ?? {};
  const owner = state.directory.find(repo);
  if (!owner || collection !== COLLECTIONS.list || snapshot.relations.parted(viewer.id, owner.id)) return undefined;
  const list = state.records.find(state.directory.didOf(owner), collection, rkey);
  return list && list.visibleAtMs <= nowMs ? list : undefined;
}

export function requireList(uri: string, request: SignedInRequest, error?: string): StoredRecord {
  const list = findList(uri, request);
  if (!list) throw invalidRequest(`List not found: ${uri}`, error);
  return list;
}

interface ListMember {
  /** The address of the record that adds the person to the list. */
  readonly id: string;
  readonly person: WorldPerson;
}

/** The people on a list, latest first. */
export function membersOf({ did, uri }: StoredRecord, { state }: SignedInRequest): readonly ListMember[] {
  const items = state.records.in(did, COLLECTIONS.listItem).filter(({ record }) => record['list'] === uri);
  return items.flatMap((item) => {
    const person = state.directory.find(textAt(item.record, 'subject') ?? '');
    return person ? [{ id: item.uri, person }] : [];
  });
}

function toList(list: StoredRecord, request: SignedInRequest): JsonObject {
  const { uri, cid, did, record, createdAtMs } = list;
  const { name, purpose, description } = record;
  const owner = request.state.directory.find(did);
  return {
    uri,
    cid,
    name,
    purpose,
    description,
    creator: owner && toProfile(owner, request),
    listItemCount: membersOf(list, request).length,
    viewer: { muted: false },
    indexedAt: new Date(createdAtMs).toISOString(),
  };
}
