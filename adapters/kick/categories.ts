import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { remembered } from '#src/http/remembered.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { PageOptions } from '#src/operation/platform.ts';
import type { Page } from '#src/paging/page.ts';
import type { Game } from '#src/streaming/records.ts';
import type { KickApi } from './api.ts';
import { CategoryRows } from './wire.ts';

const MOST_ROWS = 100;
const MOST_SUGGESTIONS = 3;

/** Which category a name means. */
export interface Categories {
  /** The category's id; a name that none has is a `missing` PlatformError. */
  idOf(game: string | { readonly id: string }, signal: AbortSignal | undefined): Promise<string>;
}

/** Looks names up, and keeps what it found for a day. */
export function categories(api: KickApi, clock: Clock): Categories {
  const idOfName = remembered(clock, (name, signal) => lookUp(api, name, signal));

  return {
    idOf: async (game, signal) => (typeof game === 'object' ? game.id : idOfName(game, signal)),
  };
}

/** Categories whose name fits: one page of Kick's own. */
export function searchCategories(api: KickApi, name: string, options: PageOptions): Promise<Page<Game>> {
  // A comma would part two names.
  return readCategories(api, { name: name.replaceAll(',', ' ') }, options);
}

async function readCategories(api: KickApi, query: Query, options: PageOptions): Promise<Page<Game>> {
  const { rows, partialErrors, cursor, fetchedAt } = await api.list(
    '/v2/categories',
    CategoryRows,
    { ...query, limit: MOST_ROWS },
    options,
  );
  return { items: rows.map((row) => ({ ...row, fetchedAt })), partialErrors, cursor };
}

/** By the name, whatever its case, else by the id. */
async function lookUp(api: KickApi, name: string, signal: AbortSignal | undefined): Promise<string> {
  const { items: similar } = await searchCategories(api, name, { signal });
  const named = similar.find((game) => game.name.toLowerCase() === name.toLowerCase());
  if (named) return named.id;
  const { items: numbered } = /^\d{1,15}$/.test(name) ? await readCategories(api, { id: name }, { signal }) : { items: [] };
  const same = numbered.find(({ id }) => id === name);
  if (same) return same.id;

  const names = similar.slice(0, MOST_SUGGESTIONS).map((game) => `"${game.name}"`);
  const hint = names.length > 0 ? `did you mean ${names.join(' or ')}?` : 'write its name as it stands on kick.com.';
  throw new PlatformError(`kick has no category called "${name}": ${hint}`, { platform: 'kick', fault: 'missing' });
}
