import type { AdapterOptions } from '#src/http/adapter-options.ts';
import { type Clock, systemClock } from '#src/clock.ts';
import { appToken } from '#src/http/app-token.ts';
import { type HttpClient, httpClient } from '#src/http/client.ts';
import type { Log } from '#src/log.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import type { Spending } from '#src/clients/operation/spending.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { inRound } from '#src/http/shared-reads.ts';
import type { WatchList } from '#src/clients/social/providers.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import { accessBy, fixedBearer, signInCheck } from './auth/access.ts';
import type { OAuth1Keys } from './auth/oauth1.ts';
import { userToken } from './auth/user-token.ts';
import type { XBudgets } from './budgets.ts';
import { capabilitiesFor } from './capabilities.ts';
import { type XApi, xApi } from './client.ts';
import { meaningOf } from './errors.ts';
import { community } from './operations/communities.ts';
import { conversation, inbox } from './operations/conversations.ts';
import { blockedUsers, followers, followings, mutualFollowers, relations } from './operations/follows.ts';
import { postAnalytics, postEditHistory } from './operations/insight.ts';
import { lists } from './operations/lists.ts';
import { filesOf, limitsFor } from './operations/media.ts';
import { missingFromPost } from './operations/missing-parts.ts';
import { watching } from './operations/notifications.ts';
import { assertTaken, writing } from './operations/posts.ts';
import { withWarning } from './operations/created-post.ts';
import { reactions } from './operations/reactions.ts';
import { postDetail } from './operations/read-post.ts';
import { recoverPost } from './operations/recovery.ts';
import { recoveryProblems } from './operations/recovery-views.ts';
import { postComments, postLikes, postQuotes, postReposts } from './operations/responses.ts';
import { annotations, search, topics } from './operations/search.ts';
import { recoverMessage, sending } from './operations/send-message.ts';
import { bookmarks, homeTimeline, mentions, posts, trends, userMedia } from './operations/timelines.ts';
import { userId, userInfo, userNames } from './operations/users.ts';
import type { Readers } from './pages.ts';
import { meter } from './spending.ts';
import { streamNotifier } from './stream/notifier.ts';
import { TEXT_LIMIT } from './text/limit.ts';

/** @internal */
export interface OperationsOptions {
  readonly api: XApi;
  readonly budgets: XBudgets | undefined;
  readonly watchList: WatchList | undefined;
  readonly woeid: number;
  /** The origin of the account's server, which may be on this machine or its network. */
  readonly accountOrigin: string;
  readonly clock: Clock;
  readonly log: Log | undefined;
}

/**
 * The operations of X for one account.
 *
 * @internal
 */
export function operationsOf(
  options: OperationsOptions,
): Required<Pick<SocialPlatform, 'operations' | 'recover' | 'recoveryProblems' | 'assertAccepts'>> {
  const { api, budgets, watchList, woeid, accountOrigin, clock, log } = options;
  const known = annotations();
  const readers: Readers = {
    api,
    watched: async () => new Set((await watchList?.all())?.map(({ id }) => id)),
    onPost: (row) => known.note(row),
  };
  const names = userNames(api, clock);
  const files = filesOf({ api, accountOrigin, clock, log });
  const messageContext = { api, names, files, clock };
  const userLists = lists(readers, names, clock);

  return {
    operations: {
      getUserInfo: userInfo(readers),
      getUserId: userId(readers),
      getPosts: posts(readers, names),
      getUserMedia: userMedia(readers, names, budgets),
      getUserFollowers: followers(readers, names),
      getUserFollowings: followings(readers, names),
      getMutualFollowers: mutualFollowers(readers, names, budgets),
      getBlockedUsers: blockedUsers(readers, names),
      ...relations(readers, names),
      ...(watchList && watching({ readers, names, list: watchList, budgets, clock })),
      search: search(readers),
      getHomeTimeline: homeTimeline(readers, names),
      getMentions: mentions(readers, names),
      getBookmarks: bookmarks(readers, names),
      getTrends: trends(api, woeid),
      ...writing({ api, reader: readers, names, files }),
      postDetail: postDetail(readers),
      uploadMedia: files.uploadMedia,
      getPostLikes: postLikes(readers),
      getPostReposts: postReposts(readers),
      getPostQuotes: postQuotes(readers),
      getPostComments: postComments(readers, budgets),
      ...reactions(api, names),
      getPostAnalytics: postAnalytics(readers, names, clock),
      postEditHistory: postEditHistory(api),
      getInbox: inbox(api, names, budgets),
      getConversation: conversation(api, names),
      sendMessage: sending(messageContext),
      getCommunity: community(api),
      ...userLists.operations,
      ...topics({ readers, known, budgets, clock }),
    },
    recover: {
      createPost: recoverPost(readers, { api, names, clock }),
      sendMessage: recoverMessage(messageContext),
      createList: userLists.recoverList,
      uploadMedia: files.recoverUpload,
    },
    recoveryProblems: recoveryProblems(readers, names, clock),
    assertAccepts: {
      async createPost(draft, { signal }) {
        assertTaken(withWarning(draft));
        await files.assertTogether(draft.files, signal);
      },
      editPost: (draft, { signal }) => files.assertTogether(draft.files, signal),
    },
  };
}

export interface XOptions extends AdapterOptions {
  /** The address of the API. */
  readonly url?: string | undefined;
  /** The client id of the app, for OAuth 2. */
  readonly clientId?: string | undefined;
  /** The client secret of a confidential app; public apps have none. */
  readonly clientSecret?: string | undefined;
  /** The sign-in of the account: `{ accessToken, refreshToken, expiresAt, scopes, url }`. It is sent only to the `url` that issued it. */
  readonly tokens?: AccountTokens | undefined;
  /** The app-only token, for public data. */
  readonly bearerToken?: string | undefined;
  /** All four keys sign requests with OAuth 1.0a. `apiKey` and `apiSecret` alone get an app-only token. */
  readonly apiKey?: string | undefined;
  readonly apiSecret?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly accessSecret?: string | undefined;
  /** The budget of composed reads; without it, they are unsupported. */
  readonly budgets?: XBudgets | undefined;
  /** The monthly budget; absent if spending is not counted. */
  readonly spending?: Spending | undefined;
  /** The users for `getPostNotifications`; without it, that operation is unsupported. */
  readonly watchList?: WatchList | undefined;
  /** The highest weight of a post: 280 by default, up to 25000 for accounts that pay. */
  readonly longestText?: number | undefined;
  /** Whether the filtered stream notifies about posts, for rules; default false. X bills each post, and an application has one connection. */
  readonly stream?: boolean | undefined;
  /** The Yahoo WOEID of the place for trends; default 1, the world. */
  readonly woeid?: number | undefined;
}

const UPLOAD_TIMEOUT_MS = 120_000;

/**
 * X through its API v2, as a signed-in account: by OAuth 2 with `tokens`, or by OAuth 1.0a with four keys. An app without an account reads
 * public data.
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
  longestText = TEXT_LIMIT.most,
  woeid = 1,
  stream = false,
  account = 'x',
  clock = systemClock,
  log,
  rateBudgets,
  dispatcher,
  ...credentials
}: XOptions): SocialPlatform & AsyncDisposable {
  assertServerAddresses('x', { url });
  assertKeys(credentials, { isStored: tokens !== undefined });
  const shared = { platform: 'x', baseUrl: url, clock, log, rateBudgets, dispatcher, refusesInJson: true, faultOf: meaningOf };
  const http = httpClient(shared);
  const uploads = httpClient({ ...shared, timeoutMs: UPLOAD_TIMEOUT_MS });
  // The token endpoint has its own error format.
  const auth = httpClient({ ...shared, faultOf: undefined });

  const isAccepted = signInCheck({ http, url, clock });
  const user = tokens && userToken({ tokens, url, http: auth, isAccepted, clientId, clientSecret, account, clock });
  const access = accessBy({
    user,
    keys: keysOf(credentials),
    app: appOf(credentials, { auth, clock, log }),
    hasAppKeys: credentials.bearerToken === undefined,
    isAccepted,
    account,
    clock,
  });
  const api = xApi({ http, uploads, access, meter: meter({ spending, clock, log }), url, clock });

  return {
    name: 'x',
    account,
    inRound,
    billsReads: true,
    textLimit: { ...TEXT_LIMIT, most: longestText },
    learn: async ({ signal }) => user?.keep(signal),
    capabilities: capabilitiesFor({ budget: budgets !== undefined, watchList: watchList !== undefined }),
    ...operationsOf({ api, budgets, watchList, woeid, accountOrigin: new URL(url).origin, clock, log }),
    missingParts: (params, { signal }) =>
      missingFromPost(params, (source) => readMedium(source, { limits: limitsFor('post'), accountOrigin: new URL(url).origin, signal })),
    notifier: stream ? streamNotifier({ api, access, url, spending, clock }) : undefined,
    async [Symbol.asyncDispose]() {
      await Promise.all([http, uploads, auth].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

type Credentials = Pick<XOptions, 'bearerToken' | 'apiKey' | 'apiSecret' | 'accessToken' | 'accessSecret'>;

const PORTAL = '“Keys and tokens” of your app at https://console.x.com';

/** Throws a `ValidationError` for credentials that are incomplete, or that no request can contain. */
function assertKeys(
  { bearerToken, apiKey, apiSecret, accessToken, accessSecret }: Credentials,
  { isStored }: { readonly isStored: boolean },
): void {
  if (bearerToken !== undefined) assertCredentials('x', { bearerToken }, `copy it from ${PORTAL}`);
  const ofApp = { apiKey, apiSecret };
  const ofAccount = { accessToken, accessSecret };
  const isGiven = (keys: object): boolean => Object.values(keys).some((key) => key !== undefined);
  if (isGiven(ofAccount)) {
    assertCredentials('x', { ...ofApp, ...ofAccount }, `OAuth 1.0a needs apiKey, apiSecret, accessToken and accessSecret, from ${PORTAL}`);
  } else if (isGiven(ofApp) || (bearerToken === undefined && !isStored)) {
    const remedy = `pass apiKey and apiSecret, or bearerToken, to read public data, and also accessToken and accessSecret to act as the account, from ${PORTAL}`;
    assertCredentials('x', ofApp, remedy);
  }
}

function keysOf({ apiKey, apiSecret, accessToken, accessSecret }: Credentials): OAuth1Keys | undefined {
  if (!apiKey || !apiSecret || !accessToken || !accessSecret) return undefined;
  return { apiKey, apiSecret, accessToken, accessSecret };
}

function appOf(
  { bearerToken, apiKey, apiSecret }: Credentials,
  context: { readonly auth: HttpClient; readonly clock: Clock; readonly log: Log | undefined },
) {
  if (bearerToken) return fixedBearer(bearerToken);
  if (!apiKey || !apiSecret) return undefined;
  return appToken({
    ...context,
    platform: 'x',
    path: '/oauth2/token',
    clientId: apiKey,
    clientSecret: apiSecret,
    registeredAt: 'https://console.x.com',
    credentialsIn: 'header',
  });
}
