import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Person } from '#src/operation/record.ts';
import type { Page } from '#src/paging/page.ts';
import type { Clip } from '#src/streaming/records.ts';
import { MOST_ROWS, type Helix } from './helix.ts';
import { toLogin, usersById } from './users.ts';
import { ClipRows, type ClipRow, type NamedPerson } from './wire/clip.ts';
import { toPerson } from './wire/parts.ts';

/** However many there are, a query of clips finds about so many, and its cursor goes on for ever. */
export const MOST_CLIPS = 1000;

export type FetchedClip = ClipRow & Pick<Clip, 'fetchedAt'>;

/** Clips, most viewed first: one page of Twitch's own. An empty one is the end. */
export async function readClipRows(helix: Helix, query: Query, options: PageOptions): Promise<Page<FetchedClip>> {
  const { rows, partialErrors, cursor, fetchedAt } = await helix.list('/clips', ClipRows, { ...query, first: MOST_ROWS }, options);
  const isEnd = rows.length + partialErrors.length === 0;
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors, cursor: isEnd ? undefined : cursor };
}

/** The page with its people. Clips tell no logins: where a shown name is not the login in other letters, it is looked up. */
export async function withPeople(helix: Helix, page: Page<FetchedClip>, signal: AbortSignal | undefined): Promise<Page<Clip>> {
  const people = page.items.flatMap(({ owner, creator }) => (creator ? [owner, creator] : [owner]));
  const unclear = new Set(people.filter(({ displayName }) => toLogin(displayName) === undefined).map(({ id }) => id));
  const { users } = await usersById(helix, [...unclear], signal);

  const personOf = ({ id, displayName }: NamedPerson): Person | undefined => {
    const login = toLogin(displayName) ?? users.get(id)?.handle;
    return login === undefined ? undefined : toPerson(id, login, displayName);
  };
  const items = page.items.map((row) => ({
    ...row,
    // An account that is gone has no login any more.
    owner: personOf(row.owner) ?? { platform: 'twitch', handle: row.owner.id, ...row.owner },
    creator: row.creator && personOf(row.creator),
  }));
  return { ...page, items };
}
