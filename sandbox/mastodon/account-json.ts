import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredList } from '../social/lists.ts';
import { SELF } from '../social/people.ts';
import { postsOf } from '../social/records.ts';
import type { WorldPerson } from '../world/world.ts';
import { idNumberAt } from './ids.ts';
import type { MastodonRequest, SignedInRequest } from './request.ts';
import { profileUrl, type ListFacts, type MastodonState } from './state.ts';
import { escapeHtml } from './text.ts';

export function toAccount(person: WorldPerson, { state, snapshot }: MastodonRequest): JsonObject {
  const { ids, pictures, core, home } = state;
  const { relations } = snapshot;
  const posts = postsOf(person, snapshot);
  return {
    id: ids.account(person.id),
    username: person.handle,
    acct: person.handle,
    display_name: person.displayName,
    locked: core.people.isProtected(person.id),
    bot: person.id === SELF.id,
    group: false,
    created_at: `${person.createdAt.toISOString().slice(0, 'yyyy-mm-dd'.length)}T00:00:00.000Z`,
    note: person.bio === '' ? '' : `<p>${escapeHtml(person.bio)}</p>`,
    url: profileUrl(person.handle, state),
    uri: `${home}/users/${person.handle}`,
    avatar: pictures.avatar(person.id),
    header: pictures.offline(person.id),
    followers_count: relations.followersOf(person.id).length,
    following_count: relations.followingsOf(person.id).length,
    statuses_count: posts.length,
    emojis: [],
    fields: [],
  };
}

export function toAccounts(personIds: readonly string[], request: MastodonRequest): readonly JsonObject[] {
  return personIds.flatMap((id) => request.snapshot.people.find(id) ?? []).map((person) => toAccount(person, request));
}

/** The account of the token, with its preferences. */
export function toCredentialAccount(request: SignedInRequest): JsonObject {
  const { viewer } = request;
  const source = { privacy: 'public', sensitive: false, language: viewer.language, note: viewer.bio, fields: [], follow_requests_count: 0 };
  return { ...toAccount(viewer, request), source };
}

/** The relationship between the viewer and a person. */
export function toRelationship({ id }: WorldPerson, { viewer, state, snapshot: { relations } }: SignedInRequest): JsonObject {
  const following = relations.follows(viewer.id, id);
  return {
    id: state.ids.account(id),
    following,
    showing_reblogs: following,
    notifying: following && relations.notifiedSinceMs(viewer.id, id) !== undefined,
    followed_by: relations.follows(id, viewer.id),
    blocking: relations.blocks(viewer.id, id),
    blocked_by: relations.blocks(id, viewer.id),
    muting: false,
    muting_notifications: false,
    requested: false,
    domain_blocking: false,
    endorsed: false,
    note: '',
  };
}

export function listId({ id, createdAtMs }: StoredList, { ids }: MastodonState): string {
  return ids.write(idNumberAt(createdAtMs, Number(id.slice('list-'.length))));
}

export function listFacts({ id, name }: StoredList, { lists }: MastodonState): ListFacts {
  return lists.get(id) ?? { listId: id, title: name, repliesPolicy: 'list', exclusive: false };
}

export function toList(list: StoredList, state: MastodonState): JsonObject {
  const { title, repliesPolicy, exclusive } = listFacts(list, state);
  return { id: listId(list, state), title, replies_policy: repliesPolicy, exclusive };
}
