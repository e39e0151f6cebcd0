import { bareName } from '#src/operation/parameters.ts';
import { canonical, isJsonList, type Json, type JsonObject } from '#src/operation/json.ts';

/** The parameter that names users, by verb. Polls that differ only in these names share requests. */
const NAMES = new Map([
  ['streaming.getStreams', 'users'],
  ['streaming.getUser', 'user'],
  ['social.getUserInfo', 'user'],
]);

/** The names in one request, for most platforms. */
const NAMES_PER_REQUEST = 100;

/** What the requests of a poll depend on. */
export interface SharedRequests {
  /** Polls with the same key share requests if they are due together. */
  readonly key: string;
  readonly names: readonly string[];
  readonly pages: number;
}

/** The requests of a poll. Polls share the look-ups of users and the pages of a list, even if their tags differ. */
export function sharedRequests(verb: string, { pages, tags: _tags, ...params }: JsonObject): SharedRequests {
  const parameter = NAMES.get(verb) ?? '';
  const { [parameter]: named, ...rest } = params;
  const names = (isJsonList(named) ? named : [named])
    .filter((name) => typeof name === 'string')
    .map((name) => bareName(name).toLowerCase());
  const list = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, name === 'game' ? spelled(value) : value]));
  return {
    key: canonical([verb, names.length > 0 ? parameter : null, list]),
    names: [...new Set(names)],
    pages: typeof pages === 'number' ? pages : 1,
  };
}

/** The number of requests for names or pages. */
export function requestCount({ names, pages }: { readonly names: { readonly length: number }; readonly pages: number }): number {
  return Math.max(pages, Math.ceil(names.length / NAMES_PER_REQUEST));
}

/** The name of a game in one spelling. */
function spelled(game: Json | undefined): Json {
  return typeof game === 'string' ? game.trim().replaceAll(/\s+/gu, ' ').toLowerCase() : (game ?? null);
}
