import type { JsonObject } from '#src/operation/json.ts';
import { SELF } from '../../social/people.ts';
import { postsOf } from '../../social/user-record.ts';
import type { WorldPerson } from '../../world/world.ts';
import { escapeHtml } from '../text/html.ts';
import type { UserVisit, Visit } from '../visit.ts';

const DAY_CHARS = 'yyyy-mm-dd'.length;

/** Somebody as the server shows them. */
export function toAccount(person: WorldPerson, { ground, moment }: Visit): JsonObject {
  const { ids, directory, pictures, stage } = ground;
  const { relations } = moment;
  const posts = postsOf(person, moment);
  const [latest] = posts;
  const isLocal = directory.domainOf(person) === undefined;
  return {
    id: ids.account(person.id),
    username: person.handle,
    acct: directory.acctOf(person),
    display_name: person.displayName,
    locked: stage.people.isProtected(person.id),
    bot: person.id === SELF.id,
    discoverable: true,
    indexable: true,
    group: false,
    created_at: `${person.createdAt.toISOString().slice(0, DAY_CHARS)}T00:00:00.000Z`,
    note: person.bio === '' ? '' : `<p>${escapeHtml(person.bio)}</p>`,
    url: directory.addressOf(person),
    uri: directory.uriOf(person),
    avatar: pictures.avatar(person.id),
    avatar_static: pictures.avatar(person.id),
    header: pictures.offline(person.id),
    header_static: pictures.offline(person.id),
    followers_count: relations.followersOf(person.id).length,
    following_count: relations.followingsOf(person.id).length,
    statuses_count: posts.length,
    last_status_at: latest ? new Date(latest.createdAtMs).toISOString().slice(0, DAY_CHARS) : null,
    hide_collections: null,
    ...(isLocal && { noindex: false, roles: [] }),
    emojis: [],
    fields: [],
  };
}

/** Somebody as they see themselves. */
export function toCredentialAccount({ viewer, ...found }: UserVisit): JsonObject {
  return {
    ...toAccount(viewer, { ...found, viewer }),
    source: {
      privacy: 'public',
      sensitive: false,
      language: viewer.language,
      note: viewer.bio,
      fields: [],
      follow_requests_count: 0,
      hide_collections: null,
      discoverable: true,
      indexable: true,
      attribution_domains: [],
      quote_policy: 'public',
    },
    role: { id: '-99', name: '', permissions: '65536', color: '', highlighted: false },
  };
}
