import type { Accounts } from './accounts.ts';
import { bareName } from '#src/clients/operation/parameters.ts';
import { canonical, isJsonList, type Json, type JsonObject } from '#src/clients/operation/json.ts';

/** For estimates only; the planner merges the polls. The parameter that names users, by verb. Polls that differ only in these names share requests. */
const NAMES = new Map([
  ['streaming.getStreams', 'users'],
  ['streaming.getUser', 'user'],
  ['social.getUserInfo', 'user'],
]);

/** The names in one request, for platforms that state no other number. */
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

/** How an account counts the requests of an operation. */
export interface RequestPrice {
  readonly namesPerRequest: number | undefined;
  /** The share of the limit that a request takes. */
  readonly units: number | undefined;
}

/** How an account counts the requests of `verb`. */
export function requestPrice(verb: string, account: string, accounts: Accounts): RequestPrice {
  const [client = '', operation = ''] = verb.split('.');
  const { namesPerRequest, unitsPerRequest } = accounts[client] ?? {};
  return { namesPerRequest: namesPerRequest?.[account], units: unitsPerRequest?.[account]?.[operation] };
}

/** The most names in one request. */
export function namesPerRequestOf({ namesPerRequest = NAMES_PER_REQUEST }: RequestPrice): number {
  return namesPerRequest;
}

/** The number of requests for names or pages, or of their units. */
export function requestCount(
  { names, pages }: { readonly names: { readonly length: number }; readonly pages: number },
  { namesPerRequest = NAMES_PER_REQUEST, units = 1 }: RequestPrice,
): number {
  return Math.max(pages, Math.ceil(names.length / namesPerRequest)) * units;
}

/** The name of a game in one spelling. */
function spelled(game: Json | undefined): Json {
  return typeof game === 'string' ? game.trim().replaceAll(/\s+/gu, ' ').toLowerCase() : (game ?? null);
}
