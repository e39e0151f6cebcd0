import type { JsonObject } from '#src/clients/operation/json.ts';
import type { StoredPost } from '../social/posts.ts';
import { toAccounts } from './account-json.ts';
import { toStatus } from './status-json.ts';
import type { IdNumber } from './ids.ts';
import { json, type MastodonRequest } from './request.ts';

/** The default and the greatest number of items in a page. */
interface Sizes {
  readonly usual: number;
  readonly most: number;
}

export const STATUSES: Sizes = { usual: 20, most: 40 };
export const ACCOUNTS: Sizes = { usual: 40, most: 80 };

type Parameters = Readonly<Record<string, string>> | undefined;

/** A page of a list, with the parameters of the next and the previous page. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: Parameters;
  readonly previous: Parameters;
}

export function limitOf({ fields }: MastodonRequest, { usual, most }: Sizes): number {
  return Math.max(0, Math.min(fields.whole('limit') ?? usual, most));
}

/** The items behind `offset`. */
export function offsetPage<T>(items: readonly T[], request: MastodonRequest, sizes: Sizes): Page<T> {
  const limit = limitOf(request, sizes);
  const offset = Math.max(0, request.fields.whole('offset') ?? 0);
  const page = items.slice(offset, offset + limit);
  return { items: page, next: page.length >= limit ? { offset: String(offset + limit) } : undefined, previous: undefined };
}

/** The items between the ids in the query, newest first. `min_id` selects the oldest of them, otherwise the newest. */
export function idPage<T>(items: readonly T[], request: MastodonRequest, sizes: Sizes, numberOf: (item: T) => IdNumber): Page<T> {
  const { state, fields } = request;
  const limit = limitOf(request, sizes);
  const numberIn = (name: string): IdNumber | undefined => {
    const id = fields.text(name);
    return id === undefined ? undefined : (state.ids.read(id) ?? 0n);
  };
  const [below, above, from] = [numberIn('max_id'), numberIn('since_id'), numberIn('min_id')];
  const repeats = below !== undefined && request.fault('repeatedItem') !== undefined;
  const lowest = from ?? above ?? -1n;
  const sorted = items
    .map((item) => ({ item, number: numberOf(item) }))
    .filter(({ number }) => number > lowest && (below === undefined || number < below || (repeats && number === below)))
    .toSorted((a, b) => (a.number < b.number ? 1 : -1));
  const page = from === undefined ? sorted.slice(0, limit) : sorted.slice(Math.max(0, sorted.length - limit));
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    items: page.map(({ item }) => item),
    // Mastodon takes a page that is not full for the last one.
    next: last && page.length >= limit ? { max_id: state.ids.write(last.number) } : undefined,
    previous: first && { min_id: state.ids.write(first.number) },
  };
}

/** A page of a list that is not sorted by the ids of its items. An unknown anchor starts at the first item. */
function anchorPage<T>(items: readonly T[], request: MastodonRequest, sizes: Sizes, anchorOf: (item: T) => string): Page<T> {
  const maxId = request.fields.text('max_id');
  const limit = limitOf(request, sizes);
  const start = items.findIndex((item) => anchorOf(item) === maxId) + 1;
  const page = items.slice(start, start + limit);
  const [first, last] = [page.at(0), page.at(-1)];
  return {
    items: page,
    next: last !== undefined && page.length >= limit ? { max_id: anchorOf(last) } : undefined,
    previous: first === undefined ? undefined : { since_id: anchorOf(first) },
  };
}

/** Posts, newest first, paged by their ids. */
export function statusesAnswer(posts: readonly StoredPost[], request: MastodonRequest): Response {
  const page = idPage(posts, request, STATUSES, (post) => request.state.ids.numberOf(post));
  return pageAnswer(request, { ...page, items: page.items.map((post) => toStatus(post, request)) });
}

/** Posts in the order in which a person stored them. */
export function storedStatusesAnswer(posts: readonly StoredPost[], request: MastodonRequest): Response {
  const page = anchorPage(posts, request, STATUSES, (post) => request.state.ids.related('entry', post));
  return pageAnswer(request, { ...page, items: page.items.map((post) => toStatus(post, request)) });
}

/** Accounts in the order of their relations. */
export function accountsAnswer(personIds: readonly string[], request: MastodonRequest): Response {
  const page = anchorPage(personIds, request, ACCOUNTS, (id) => request.state.ids.accountEntry(id));
  return pageAnswer(request, { ...page, items: toAccounts(page.items, request) });
}

/** A page as an answer, changed by the faults in force. */
export function pageAnswer(request: MastodonRequest, { items, next, previous }: Page<JsonObject>): Response {
  const { fault, fields, url, state } = request;
  const shown = fault('shortList') ? items.slice(0, Math.ceil(items.length / 2)) : items;
  const answer = json(request, fault('emptyList') ? [] : shown);
  const maxId = fields.text('max_id');
  const endless = fault('endlessCursor') ? (maxId === undefined ? (next ?? previous) : { max_id: maxId }) : undefined;
  const links = [link('next', endless ?? next), link('prev', previous)].filter((one) => one !== undefined);
  if (links.length > 0) answer.headers.set('link', links.join(', '));
  return answer;

  function link(rel: string, parameters: Parameters): string | undefined {
    if (!parameters) return undefined;
    const target = new URL(url.pathname + url.search, state.home);
    for (const name of ['max_id', 'min_id', 'since_id', 'offset']) target.searchParams.delete(name);
    for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
    return `<${target.href}>; rel="${rel}"`;
  }
}
