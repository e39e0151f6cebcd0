import { hasXLink } from '#src/operation/text/lengths/x.ts';

/** What X bills for a request: for each thing that it gives, or for the request itself. */
export interface Price {
  readonly usd: number;
  readonly per: 'row' | 'request';
  /** What a row is: the same one X bills once a day, in UTC. */
  readonly row?: keyof typeof PRICES | undefined;
}

/** What X bills for a row that it gives, in USD: https://docs.x.com/x-api/getting-started/pricing, without the rebates. */
export const PRICES = { post: 0.005, user: 0.01, message: 0.01, list: 0.005, community: 0.005, analytics: 0.005, trend: 0.01 } as const;

/** What X bills for a post, and for one with an address in it. */
export const POSTING = { usd: 0.015, usdWithLink: 0.2 } as const;

const SENDING_USD = 0.015;
const REACTING_USD = 0.015;
const TAKING_BACK_USD = 0.01;
const MAKING_A_LIST_USD = 0.01;
const MANAGING_USD = 0.005;
const COUNTING_USD = 0.005;

const row = (name: keyof typeof PRICES): Price => ({ usd: PRICES[name], per: 'row', row: name });
const request = (usd: number): Price => ({ usd, per: 'request' });

/** The first that fits is the price. */
const BY_ENDPOINT: readonly (readonly [pattern: RegExp, price: Price])[] = [
  [/^GET \/2\/tweets\/analytics$/, row('analytics')],
  [/^GET \/2\/tweets\/:id\/(liking_users|retweeted_by)$/, row('user')],
  [/^GET \/2\/tweets\/counts\/recent$/, request(COUNTING_USD)],
  [/^GET \/2\/tweets\b/, row('post')],
  [/^GET \/2\/(users|lists)\/:id\/(tweets|mentions|timelines\/\w+|bookmarks|liked_tweets)$/, row('post')],
  [/^GET \/2\/users\/:id\/owned_lists$/, row('list')],
  [/^GET \/2\/lists\/:id\/members$/, row('user')],
  [/^GET \/2\/lists\b/, row('list')],
  [/^GET \/2\/users\b/, row('user')],
  [/^GET \/2\/dm_/, row('message')],
  [/^GET \/2\/communities\b/, row('community')],
  [/^GET \/2\/trends\b/, row('trend')],
  [/^POST \/2\/tweets$/, request(POSTING.usd)],
  [/^POST \/2\/dm_conversations\b/, request(SENDING_USD)],
  [/^POST \/2\/users\/:id\/bookmarks$/, request(MANAGING_USD)],
  [/^DELETE \/2\/users\/:id\/bookmarks\b/, request(MANAGING_USD)],
  [/^POST \/2\/users\/:id\//, request(REACTING_USD)],
  [/^POST \/2\/lists$/, request(MAKING_A_LIST_USD)],
  [/^(POST|PUT|DELETE) \/2\/lists\b/, request(MANAGING_USD)],
  [/^POST \/2\/media\/metadata$/, request(MANAGING_USD)],
  [/^DELETE /, request(TAKING_BACK_USD)],
];

/** What X bills for requests to an endpoint, as `GET /2/users/:id/tweets`; undefined: nothing. */
export function priceOf(endpoint: string): Price | undefined {
  return BY_ENDPOINT.find(([pattern]) => pattern.test(endpoint))?.[1];
}

/** What a post with this text costs. */
export function priceOfPost(text: string): number {
  return hasXLink(text) ? POSTING.usdWithLink : POSTING.usd;
}

/** What an operation costs: so many rows of that price, or one request. */
export interface OperationPrice extends Price {
  /** How many rows a page has at the most. */
  readonly rows: number;
  readonly usdWithLink?: number | undefined;
}

const ROWS_A_PAGE = 100;
/** What only finds out whom or what is meant. */
const LOOKUP = /\/(me|by\/username\/:username|by|:id)$/;

/** What the requests that an operation may take cost; undefined: nothing. */
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
  const isPost = writes.includes('POST /2/tweets');
  return { ...dearest, rows: isList ? ROWS_A_PAGE : 1, ...(isPost && { usdWithLink: POSTING.usdWithLink }) };
}
