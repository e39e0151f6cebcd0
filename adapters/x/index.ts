import type { Dispatcher } from 'undici';
import { systemClock, type Clock } from '#src/clock.ts';
import { httpClient } from '#src/http/client.ts';
import type { Log } from '#src/log.ts';
import { readMedium } from '#src/media/read-medium.ts';
import type { Spending } from '#src/operation/spending.ts';
import { TEXT_LIMITS } from '#src/operation/text/limit.ts';
import type { KeptTokens } from '#src/secrets/kept-tokens.ts';
import type { WatchList } from '#src/social/providers.ts';
import { limitsFor } from './media/limits.ts';
import { missingFiles } from '#src/social/files.ts';
import type { SocialPlatform } from '#src/social/social.ts';
import { ableWith } from './able.ts';
import { accessBy } from './access/access.ts';
import { fixedBearer, issuedBearer } from './access/app-bearer.ts';
import type { OAuth1Keys } from './access/oauth1.ts';
import { userToken } from './access/user-token.ts';
import { xApi } from './api.ts';
import type { XBudgets } from './budgets.ts';
import { meter } from './meter.ts';
import { operationsOf } from './operations.ts';
import { meaningOf } from './problems.ts';

export interface XOptions {
  /** The address of the API. */
  readonly url?: string | undefined;
  /** Of the app, for OAuth 2. */
  readonly clientId?: string | undefined;
  /** Of an app that can keep a secret; other apps have none. */
  readonly clientSecret?: string | undefined;
  /** The sign-in of the account: `{ accessToken, refreshToken, expiresAt, scopes, url }`; it goes to no other `url` than gave it out. */
  readonly tokens?: KeptTokens | undefined;
  /** The app's own token, for what everybody may read. */
  readonly bearerToken?: string | undefined;
  /** With the three that follow the keys of OAuth 1.0a; with `apiSecret` alone, what the app gets its own token for. */
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly accessSecret?: string | undefined;
  /** What reads may cost that are put together from several requests; without it they do not start. */
  readonly budgets?: XBudgets | undefined;
  /** What a month may cost; without it nothing is counted. */
  readonly spending?: Spending | undefined;
  /** Who is watched for `getPostNotifications`; without it that is unsupported. */
  readonly watchList?: WatchList | undefined;
  /** How much a post may weigh: 280, and up to 25000 where its author pays for more. */
  readonly longestText?: number | undefined;
  /** Where trends are taken from, by the number that Yahoo gave the place; 1 is the world. */
  readonly woeid?: number | undefined;
  /** The account's name in `fanfare.yaml`. */
  readonly account?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** Where connections come from; without one the adapter has its own. */
  readonly dispatcher?: Dispatcher | undefined;
}

const UPLOAD_TIMEOUT_MS = 120_000;

/**
 * X, through its API v2, as a signed-in account: by OAuth 2 with `tokens`, or by OAuth 1.0a with four keys. An app alone reads what everybody may.
 *
 * @example
 * const social = new SocialAsync({ platform: x({ apiKey, apiSecret, accessToken, accessSecret }) });
 */
export function x({
  url = 'https://api.x.com',
  clientId,
  clientSecret,
  tokens,
  budgets,
  spending,
  watchList,
  longestText = TEXT_LIMITS.x.most,
  woeid = 1,
  account = 'x',
  clock = systemClock,
  log,
  dispatcher,
  ...credentials
}: XOptions): SocialPlatform & AsyncDisposable {
  const shared = { platform: 'x', baseUrl: url, clock, log, dispatcher, refusesInJson: true, faultOf: meaningOf };
  const http = httpClient(shared);
  const uploads = httpClient({ ...shared, timeoutMs: UPLOAD_TIMEOUT_MS });
  // What the token endpoint says of a refusal is not what the others say.
  const auth = httpClient({ ...shared, faultOf: undefined });

  const access = accessBy({
    user: tokens && userToken({ tokens, url, http: auth, clientId, clientSecret, account, clock }),
    keys: keysOf(credentials),
    app: appOf(credentials, auth, log),
    account,
    clock,
  });
  const api = xApi({ http, uploads, access, meter: meter({ spending, clock, log }), url, clock });

  return {
    name: 'x',
    account,
    textLimit: { ...TEXT_LIMITS.x, most: longestText },
    capabilities: ableWith({ budget: budgets !== undefined, watchList: watchList !== undefined }),
    ...operationsOf({ api, budgets, watchList, woeid, accountOrigin: new URL(url).origin, clock, log }),
    missingParts: (params, { signal }) =>
      missingFiles(params, (address) => readMedium(address, { limits: limitsFor('post'), accountOrigin: new URL(url).origin, signal })),
    async [Symbol.asyncDispose]() {
      await Promise.all([http, uploads, auth].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

type Credentials = Pick<XOptions, 'bearerToken' | 'apiKey' | 'apiSecret' | 'accessToken' | 'accessSecret'>;

function keysOf({ apiKey, apiSecret, accessToken, accessSecret }: Credentials): OAuth1Keys | undefined {
  if (!apiKey || !apiSecret || !accessToken || !accessSecret) return undefined;
  return { apiKey, apiSecret, accessToken, accessSecret };
}

function appOf({ bearerToken, apiKey, apiSecret }: Credentials, http: Parameters<typeof issuedBearer>[0]['http'], log: Log | undefined) {
  if (bearerToken) return fixedBearer(bearerToken);
  return apiKey && apiSecret ? issuedBearer({ http, apiKey, apiSecret, log }) : undefined;
}
