import type { AdapterOptions } from '#src/http/adapter-options.ts';
import { systemClock } from '#src/clock.ts';
import { httpClient } from '#src/http/client.ts';
import { assertCredentials } from '#src/clients/operation/credentials.ts';
import { assertServerAddresses } from '#src/clients/operation/server-address.ts';
import { readMedium } from '#src/http/media/read-medium.ts';
import type { AccountTokens } from '#src/http/secrets/account-tokens.ts';
import { inRound } from '#src/http/shared-reads.ts';
import type { PostVisibility } from '#src/clients/social/enumerations.ts';
import { missingFiles } from '#src/clients/social/files.ts';
import type { SocialPlatform } from '#src/clients/social/social.ts';
import { accessOf } from './auth/access.ts';
import { accounts } from './operations/accounts.ts';
import { mastodonApi } from './client.ts';
import { capabilities } from './capabilities.ts';
import type { AccountContext } from './account-context.ts';
import { faultOf } from './errors.ts';
import { assertAccepted } from './operations/draft.ts';
import { files } from './operations/media.ts';
import { instances } from './instance.ts';
import { followsOperations } from './operations/follows.ts';
import { insightOperations } from './operations/insight.ts';
import { listsOperations } from './operations/lists.ts';
import { messagesOperations } from './operations/messages.ts';
import { postsOperations } from './operations/posts.ts';
import { reactionsOperations } from './operations/reactions.ts';
import { responsesOperations } from './operations/responses.ts';
import { scheduleOperations } from './operations/schedule.ts';
import { searchOperations, topicsOperations } from './operations/search.ts';
import { timelinesOperations } from './operations/timelines.ts';
import { usersOperations } from './operations/users.ts';
import { statuses } from './operations/statuses.ts';
import { streamingNotifier } from './streaming/notifier.ts';
import { PLATFORM } from './wire/parts.ts';

export interface MastodonOptions extends AdapterOptions {
  /** The address of the server, for example `https://mastodon.social`. */
  readonly url: string;
  /** An access token; absent if it is in `tokens`. */
  readonly token?: string | undefined;
  readonly tokens?: AccountTokens | undefined;
  /** The language of posts without one, for example `de`; absent for the default of the account on its server. */
  readonly language?: string | undefined;
  /** The visibility of posts without one; absent for the default of the account on its server. */
  readonly visibility?: PostVisibility | undefined;
  /** Whether the server notifies about changes over its streaming API, for rules; default false. */
  readonly streaming?: boolean | undefined;
}

/**
 * One account on a server with Mastodon's client API: Mastodon, GoToSocial, Pleroma and others, as far as they implement it.
 *
 * @example
 * const social = new SocialAsync({ platform: mastodon({ url: 'https://mastodon.social', token }) });
 */
export function mastodon({
  url,
  token,
  tokens,
  account = PLATFORM,
  language,
  visibility,
  streaming = false,
  clock = systemClock,
  log,
  rateBudgets,
  dispatcher,
}: MastodonOptions): SocialPlatform & AsyncDisposable {
  assertServerAddresses(PLATFORM, { url });
  assertCredentials(PLATFORM, { url }, 'pass the address of the server of the account, for example https://mastodon.social');
  if (token !== undefined || tokens === undefined) {
    const remedy = `pass the access token of an application at ${new URL(url).origin}/settings/applications, with the scopes read and write`;
    assertCredentials(PLATFORM, { token }, remedy);
  }
  const http = httpClient({ platform: PLATFORM, baseUrl: url, clock, log, rateBudgets, dispatcher, faultOf });
  const access = accessOf({ token, tokens, account, url });
  const api = mastodonApi({ http, access, account, url, clock });
  const server = instances(api);
  const context: AccountContext = {
    api,
    instances: server,
    accounts: accounts(api, access, clock),
    statuses: statuses(api),
    files: files({ api, instances: server, accountOrigin: new URL(url).origin, clock }),
    defaults: { language, visibility },
    clock,
  };
  const posts = postsOperations(context);
  const schedule = scheduleOperations(context);
  const messages = messagesOperations(context);
  const lists = listsOperations(context);

  return {
    name: PLATFORM,
    account,
    inRound,
    textLimit: () => server.textLimit(),
    missingParts: async (params, { signal }) => {
      // Posts without files need no request.
      if (params['files'] === undefined) return [];
      const { media: limits } = await server.current(signal);
      return missingFiles(params, (source) => readMedium(source, { limits, accountOrigin: new URL(url).origin, signal }));
    },
    assertAccepts: {
      createPost: (draft, { signal }) => assertAccepted(draft, signal, context),
      createScheduledPost: (draft, { signal }) => assertAccepted(draft, signal, context),
      editPost: ({ files = [] }, { signal }) => assertAccepted({ files }, signal, context),
    },
    learn: async ({ signal }) => void (await server.current(signal)),
    capabilities,
    operations: {
      ...usersOperations(context),
      ...followsOperations(context),
      ...searchOperations(context),
      ...timelinesOperations(context),
      ...posts.operations,
      ...responsesOperations(context),
      ...reactionsOperations(context),
      ...insightOperations(context),
      ...schedule.operations,
      ...messages.operations,
      ...lists.operations,
      ...topicsOperations(context),
    },
    recover: { ...posts.recover, ...schedule.recover, ...messages.recover, ...lists.recover },
    notifier: streaming ? streamingNotifier({ context, access, url }) : undefined,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
    },
  };
}
