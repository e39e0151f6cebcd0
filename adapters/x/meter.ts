import { z } from 'zod';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Query } from '#src/http/request-parts.ts';
import type { HttpResponse } from '#src/http/response.ts';
import type { Log } from '#src/log.ts';
import type { Spending } from '#src/operation/spending.ts';
import { parsed } from './problems.ts';
import { POSTING, priceOf, priceOfPost, type Price } from './prices.ts';

/** A request as its price depends on it. */
interface Billed {
  /** As X documents it, as `GET /2/users/:id/tweets`. */
  readonly endpoint: string;
  readonly query?: Query | undefined;
  readonly json?: unknown;
}

export interface MeterOptions {
  /** Without it nothing is counted, and nothing refused. */
  readonly spending: Spending | undefined;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/** Sends what the account can pay for, and counts what it came to. */
export type Meter = (billed: Billed, send: () => Promise<HttpResponse>) => Promise<HttpResponse>;

const Draft = z.object({ text: z.string().optional() });
const Row = z.object({ id: z.string() });
const Rows = z.object({ data: z.union([z.array(z.unknown()), z.looseObject({})]).optional() });

/** X bills nothing for what failed; of what got no answer, or one that breaks off, nobody knows. */
const MAY_BE_BILLED = new Set(['unanswered', 'unavailable', 'malformed']);

/** The meter of one account. */
export function meter({ spending, clock, log }: MeterOptions): Meter {
  /** What a request came to: of rows X bills those that it did not give today already. */
  async function costOf({ usd, row }: Price, most: number, { text }: HttpResponse, counted: Spending): Promise<number> {
    if (row === undefined) return most;
    const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
    const rows = [Rows.catch({}).parse(parsed(text)).data ?? []].flat();
    const named = rows.flatMap((one) => Row.safeParse(one).data ?? []).map(({ id }) => `${row} ${id}`);
    return usd * (rows.length - named.length + (await counted.newRows(today, named)));
  }

  return async (billed, send) => {
    const price = priceOf(billed.endpoint);
    if (!spending || !price) return send();
    const most = mostOf(price, billed);
    const reserve = await spending.reserve(most);

    async function settle(cost: number | Promise<number>): Promise<void> {
      try {
        await reserve.settle(await cost);
      } catch (error) {
        // What was set aside then counts as spent: too much, and never too little.
        log?.warn({ error }, 'what a request to X did cost could not be written down');
      }
    }

    let response: HttpResponse;
    try {
      response = await send();
    } catch (error) {
      const isFree = error instanceof PlatformError && !MAY_BE_BILLED.has(error.fault);
      if (isFree) await settle(0);
      throw error;
    }
    await settle(costOf(price, most, response, spending));
    return response;
  };
}

/** What a request costs at the most. */
function mostOf({ usd, per }: Price, { endpoint, query, json }: Billed): number {
  if (per === 'row') return usd * rowsAsked(query);
  return usd === POSTING.usd && endpoint === 'POST /2/tweets' ? priceOfPost(Draft.catch({}).parse(json).text ?? '') : usd;
}

/** How many rows a request asks for. */
function rowsAsked(query: Query = {}): number {
  const { max_results: most, max_trends: trends, ids, usernames } = query;
  const listed = ids ?? usernames;
  if (typeof listed === 'string') return listed.split(',').length;
  return Number(most ?? trends ?? 1);
}
