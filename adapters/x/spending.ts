import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { mayHaveHappened } from '#src/http/outcome.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { HttpResponse } from '#src/http/client.ts';
import type { Log } from '#src/log.ts';
import type { Spending } from '#src/clients/operation/spending.ts';
import { hasXLink } from './text/length.ts';
import { parseJson } from '#src/http/parse-json.ts';

/** The price of a request: for each row of the response, or for the request. */
interface Price {
  readonly usd: number;
  readonly per: 'row' | 'request';
  /** The kind of a row. X bills the same row once per UTC day. */
  readonly row?: keyof typeof PRICES | undefined;
}

/** The price of a row in USD, also of owned reads, because no request tells who owns the app: https://docs.x.com/x-api/getting-started/pricing */
export const PRICES = { post: 0.005, user: 0.01, message: 0.01, list: 0.005, community: 0.005, analytics: 0.005, trend: 0.01 } as const;

/** The price of a post without and with a link. */
const POSTING = { usd: 0.015, usdWithLink: 0.2 } as const;

const POST_ENDPOINT = 'POST /2/tweets';
const SENDING_USD = 0.015;
const REACTING_USD = 0.015;
const TAKING_BACK_USD = 0.01;
const MAKING_A_LIST_USD = 0.01;
const MANAGING_USD = 0.005;
const COUNTING_USD = 0.005;

const perRow = (name: keyof typeof PRICES): Price => ({ usd: PRICES[name], per: 'row', row: name });
const perRequest = (usd: number): Price => ({ usd, per: 'request' });

/** The prices by endpoint. The first match counts. */
const BY_ENDPOINT: readonly (readonly [pattern: RegExp, price: Price])[] = [
  [/^GET \/2\/tweets\/analytics$/, perRow('analytics')],
  [/^GET \/2\/tweets\/:id\/(liking_users|retweeted_by)$/, perRow('user')],
  [/^GET \/2\/tweets\/counts\/recent$/, perRequest(COUNTING_USD)],
  // The rules of the filtered stream are free.
  [/^GET \/2\/tweets\b(?!\/search\/stream)/, perRow('post')],
  [/^GET \/2\/(users|lists)\/:id\/(tweets|mentions|timelines\/\w+|bookmarks|liked_tweets)$/, perRow('post')],
  [/^GET \/2\/users\/:id\/owned_lists$/, perRow('list')],
  [/^GET \/2\/lists\/:id\/members$/, perRow('user')],
  [/^GET \/2\/lists\b/, perRow('list')],
  [/^GET \/2\/users\b/, perRow('user')],
  [/^GET \/2\/dm_/, perRow('message')],
  [/^GET \/2\/communities\b/, perRow('community')],
  [/^GET \/2\/trends\b/, perRow('trend')],
  [/^POST \/2\/tweets$/, perRequest(POSTING.usd)],
  [/^POST \/2\/dm_conversations\b/, perRequest(SENDING_USD)],
  [/^POST \/2\/users\/:id\/bookmarks$/, perRequest(MANAGING_USD)],
  [/^DELETE \/2\/users\/:id\/bookmarks\b/, perRequest(MANAGING_USD)],
  [/^POST \/2\/users\/:id\//, perRequest(REACTING_USD)],
  [/^POST \/2\/lists$/, perRequest(MAKING_A_LIST_USD)],
  [/^(POST|PUT|DELETE) \/2\/lists\b/, perRequest(MANAGING_USD)],
  [/^POST \/2\/media\/metadata$/, perRequest(MANAGING_USD)],
  [/^DELETE /, perRequest(TAKING_BACK_USD)],
];

/** The price of a request to an endpoint, for example `GET /2/users/:id/tweets`; undefined if it is free. */
export function priceOf(endpoint: string): Price | undefined {
  return BY_ENDPOINT.find(([pattern]) => pattern.test(endpoint))?.[1];
}

/** The price of a post with this text. */
function priceOfPost(text: string): number {
  return hasXLink(text) ? POSTING.usdWithLink : POSTING.usd;
}

/** The price of an operation: of up to `rows` rows, or of one request. */
interface OperationPrice extends Price {
  /** The largest number of rows of a page. */
  readonly rows: number;
  readonly usdWithLink?: number | undefined;
}

const ROWS_A_PAGE = 100;
/** Endpoints that only resolve a name. */
const LOOKUP = /\/(me|by\/username\/:username|by|:id)$/;

/** The price of an operation; undefined if it is free. */
export function priceOfOperation(
  endpoints: readonly string[],
  { isList, wantsUsers }: { readonly isList: boolean; readonly wantsUsers: boolean },
): OperationPrice | undefined {
  const asked = endpoints.filter((endpoint) => endpoint !== 'GET /2/users/search' || wantsUsers);
  const wanted = asked.filter((endpoint) => !endpoint.startsWith('GET ') || !LOOKUP.test(endpoint));
  const writes = wanted.filter((endpoint) => !endpoint.startsWith('GET '));
  const counted = writes.length > 0 && !isList ? writes : wanted;
  const prices = (counted.length > 0 ? counted : asked).flatMap((endpoint) => priceOf(endpoint) ?? []);
  const [dearest] = prices.toSorted((one, other) => other.usd - one.usd);
  if (!dearest) return undefined;
  const isPost = writes.includes(POST_ENDPOINT);
  return { ...dearest, rows: isList ? ROWS_A_PAGE : 1, ...(isPost && { usdWithLink: POSTING.usdWithLink }) };
}

/** The parts of a request on which its price depends. */
interface Billed {
  /** The endpoint in the notation of X, for example `GET /2/users/:id/tweets`. */
  readonly endpoint: string;
  /** The address, which names what is read. */
  readonly url?: string | undefined;
  readonly query?: Query | undefined;
  readonly json?: unknown;
}

interface MeterOptions {
  /** The budget; without it, the meter neither counts nor refuses requests. */
  readonly spending: Spending | undefined;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** The meter of one account. */
export interface Meter {
  /** Sends a request if the budget allows it, and books its cost. */
  readonly ask: (billed: Billed, send: () => Promise<HttpResponse>) => Promise<HttpResponse>;
  /**
   * Gives back the cost of the oldest lost post with this text: a search found that X does not have it, so X does not bill it. Otherwise, an outage of X would
   * use up the budget of the month. After a restart, the cost stays booked.
   */
  readonly giveBack: (text: string) => Promise<void>;
}

/** The number of lost posts, and of lost reads, whose cost can be given back. */
const MOST_LOST = 200;

const Draft = z.object({ text: z.string().optional() });
const Row = z.object({ id: z.string() });
const Rows = z.object({ data: z.union([z.array(z.unknown()), z.looseObject({})]).optional() });

/** Creates the meter of one account. */
export function meter({ spending, clock, log }: MeterOptions): Meter {
  /** The price of a response: X bills only rows that it has not returned today. */
  async function costOf({ usd, row }: Price, most: number, { text }: HttpResponse, counted: Spending): Promise<number> {
    if (row === undefined) return most;
    const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
    const rows = [Rows.catch({}).parse(parseJson(text)).data ?? []].flat();
    const named = rows.flatMap((one) => Row.safeParse(one).data ?? []).map(({ id }) => `${row} ${id}`);
    return usd * (rows.length - named.length + (await counted.newRows(today, named)));
  }

  /** The reservations of lost posts with their texts, the oldest first. */
  const lost: { readonly text: string; readonly settle: (cost: number) => Promise<void> }[] = [];

  /** The days on which a read without a response was booked, by its address. */
  const lostReads = new Map<string, string>();

  /** Whether the same read without a response is booked today: X bills a row once a day, so a repeat during an outage costs nothing more. */
  function isBookedToday({ endpoint, url }: Billed): boolean {
    if (url === undefined || !endpoint.startsWith('GET ')) return false;
    const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
    if (lostReads.get(url) === today) return true;
    lostReads.delete(url);
    lostReads.set(url, today);
    for (const oldest of [...lostReads.keys()].slice(0, -MOST_LOST)) lostReads.delete(oldest);
    return false;
  }

  async function giveBack(text: string): Promise<void> {
    const index = lost.findIndex((one) => one.text === text);
    const [found] = index < 0 ? [] : lost.splice(index, 1);
    await found?.settle(0);
  }

  async function ask(billed: Billed, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const price = priceOf(billed.endpoint);
    if (!spending || !price) return send();
    const most = mostOf(price, billed);
    const reserve = await spending.reserve(most);

    async function settle(cost: number | Promise<number>): Promise<void> {
      try {
        await reserve.settle(await cost);
      } catch (error) {
        // The whole reservation then counts as spent, so the sum is never too low.
        log?.warn({ error }, 'the cost of a request to X could not be stored');
      }
    }

    let response: HttpResponse;
    try {
      response = await send();
    } catch (error) {
      // X does not bill failed requests. A write may succeed before its server fails, and a read has only its response.
      const isFailedRead = billed.endpoint.startsWith('GET ') && error instanceof PlatformError && (error.status ?? 0) >= 400;
      if (!mayHaveHappened(error) || isFailedRead || isBookedToday(billed)) await settle(0);
      else if (billed.endpoint === POST_ENDPOINT) lost.push({ text: textOf(billed), settle });
      if (lost.length > MOST_LOST) lost.shift();
      throw error;
    }
    await settle(costOf(price, most, response, spending));
    return response;
  }

  return { ask, giveBack };
}

function textOf({ json }: Billed): string {
  return Draft.catch({}).parse(json).text ?? '';
}

/** The highest cost of a request. */
function mostOf({ usd, per }: Price, { endpoint, query, json }: Billed): number {
  if (per === 'row') return usd * rowsAsked(query);
  return usd === POSTING.usd && endpoint === POST_ENDPOINT ? priceOfPost(textOf({ endpoint, json })) : usd;
}

/** The number of rows that a request asks for. */
function rowsAsked(query: Query = {}): number {
  const { max_results: most, max_trends: trends, ids, usernames } = query;
  const listed = ids ?? usernames;
  if (typeof listed === 'string') return listed.split(',').length;
  return Number(most ?? trends ?? 1);
}
