import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { Access } from '#src/admin/access/access.ts';
import type { DiscordSignIn } from '#src/admin/access/discord-sign-in.ts';
import type { Clock } from '#src/clock.ts';
import { lateModule } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import { answerError, answerNotFound } from './answers.ts';
import { actorOf } from './actor.ts';
import type { Api } from '#src/web/api/api.ts';
import type { Operations } from '#src/web/api/operations.ts';
import { metrics, probes } from '#src/web/api/health.ts';
import type { Notifications } from '#src/admin/incoming-webhooks/receive-notifications.ts';
import type { WebhookReceiver } from '#src/admin/incoming-webhooks/receive-webhooks.ts';
import type { AnswerNotification } from '#src/web/api/notifications.ts';
import { interactions, type TakeInteraction } from '#src/web/api/interactions.ts';
import { assets } from './assets.ts';
import { isConnectedHere } from './auth/client.ts';
import type { RemoteAccess } from './auth/remote-access.ts';
import { allowedHosts, hostCheck, isEveryAddress, isLocal, isLoopback, localAccess, originCheck } from './host-check.ts';
import { DEMO_PATH } from '#src/web/page/navigation-bar.ts';
import { VIEW_PATHS } from '#src/web/views/paths.ts';
import { sandboxPictures } from './sandbox-pictures.ts';
import { Problem } from './problem.ts';
import { securityHeaders } from './security-headers.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';

const loadRemoteAccess = lateModule('the sign-in', () => import('#src/web/auth/remote-access.ts'));

export interface SiteOptions {
  readonly apiQueries: ApiQueries;
  /** What the API reads and does, beside `apiQueries`. */
  readonly operations: Operations;
  /** Whether the page and the API are served; otherwise only health and metrics are. */
  readonly isPageServed?: boolean | undefined;
  /** Handles interactions that Discord sends over HTTP; absent if Fanfare does not receive them. */
  readonly takeInteraction?: TakeInteraction | undefined;
  /** Opens the receiver of the webhooks of rules; resolves with undefined while no rule has one. Absent: this process receives none. */
  readonly openWebhookReceiver?: (() => Promise<WebhookReceiver | undefined>) | undefined;
  /** Opens the receiver of notifications of platforms; absent: no account is notified at the public address. */
  readonly openNotifications?: (() => Promise<Notifications>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** The listening address. */
  readonly host: string;
  /** The allowed host names, beside the listening address and loopback names. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Signs people in; only needed if {@link isReachable}. */
  readonly openAccess?: (() => Promise<Access>) | undefined;
  /** The sign-in with Discord; absent: people sign in with passwords only. */
  readonly openDiscord?: (() => Promise<DiscordSignIn>) | undefined;
  /** The addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** The origin of the sandbox; absent with real accounts. */
  readonly sandboxOrigin?: string | undefined;
  /** Ends all event streams. */
  readonly closing: AbortSignal;
}

/** The API is loaded at the first request: a start needs neither its routes nor the generator of its description. */
const loadApi = lateModule('the HTTP API', () => import('#src/web/api/api.ts'));

/** The views are loaded at the first request of one of them: a start needs neither their templates nor Preact. */
const loadViewPages = lateModule('the views of the page', () => import('#src/web/view-pages/view-pages.ts'));

/** Only the sandbox has a demonstration. */
const loadDemo = lateModule('the demonstration', () => import('#src/web/demo/demo.ts'));

const loadReaderLanguage = lateModule('the languages of the page', () => import('#src/web/reader-language.ts'));

const loadCompressed = lateModule('the compression', () => import('./compressed.ts'));

/** Most installations have no rule with a webhook. */
const loadWebhooks = lateModule('the incoming webhooks', () => import('#src/web/api/webhooks.ts'));

/** Most installations have no public address. */
const loadNotifications = lateModule('the notifications of platforms', () => import('#src/web/api/notifications.ts'));

/** Whether other machines may reach the server, directly or through a proxy on this machine. Then they have to sign in. */
export function isReachable({ host, allowedHosts: names = [] }: Pick<SiteOptions, 'host' | 'allowedHosts'>): boolean {
  return ![host, ...names].every(isLoopback);
}

/** All routes of the server. */
export async function site({
  apiQueries,
  operations,
  isPageServed = true,
  takeInteraction,
  openWebhookReceiver,
  openNotifications,
  clock,
  log,
  host,
  allowedHosts: names = [],
  openAccess,
  openDiscord,
  trustedProxies = [],
  sandboxOrigin,
  closing,
}: SiteOptions): Promise<Hono> {
  const hasSandbox = sandboxOrigin !== undefined;
  const routes = new Hono();
  routes.use(securityHeaders());
  // Interactions are signed, so they need no allowed host name.
  if (takeInteraction) routes.route('/', interactions(takeInteraction));
  else routes.all('/discord/interactions', answerNotFound);
  // Webhooks prove their secret, and arrive under the public name of the server.
  routes.post('/hooks/:name', async (c) => {
    const receiver = await openWebhookReceiver?.();
    return receiver ? (await loadWebhooks()).answerWebhook(c, receiver) : answerNotFound(c);
  });
  let answerNotification: AnswerNotification | undefined;
  const openAnswers = async () => {
    const { createNotificationAnswers } = await loadNotifications();
    return (answerNotification ??= createNotificationAnswers(clock));
  };
  // Platforms sign their notifications. A rule cannot have this path, because names of webhooks have no slash.
  routes.on(['GET', 'POST'], ['/hooks/notifications/:account', '/hooks/notifications/:account/:subscription'], async (c) =>
    openNotifications ? (await openAnswers())(c, await openNotifications()) : answerNotFound(c),
  );
  routes.use(async (c, next) => {
    await next();
    // Answers show the current state, so caches must not store them.
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  });

  const isAllowed = allowedHosts(isEveryAddress(host) ? names : [host, ...names]);
  const { pages, check } = isReachable({ host, allowedHosts: names })
    ? await openRemoteAccess({ openAccess, openDiscord, trustedProxies, log, host })
    : { pages: undefined, check: localCheck };
  const maySeeReason = async (c: Context) => isAllowed(c.req.url) && ((isLocal(c) && isConnectedHere(c)) || (await passes(check, c)));
  routes.route('/', probes(apiQueries, maySeeReason));
  routes.use(hostCheck(isAllowed));
  if (isPageServed) {
    routes.use(async (c, next) => (await loadCompressed()).compressed(c, next));
    routes.route('/', await assets(log));
  }
  routes.use(originCheck);
  if (isPageServed && pages) routes.route('/', pages);
  routes.use(check);
  routes.route('/', metrics(apiQueries));
  if (isPageServed) {
    let api: Api | undefined;
    const openApi = async (): Promise<Api> => {
      // The first requests can come together, and all of them need the same events.
      const { createApi } = await loadApi();
      return (api ??= createApi({ ...operations, apiQueries, clock, log, sandboxOrigin, closing }));
    };
    const answerApi = async (request: Request, c: Context): Promise<Response> =>
      (await openApi()).routes.fetch(request, { actor: actorOf(c), formToken: c.get('formToken') });
    const lastEventId = async () => (await openApi()).lastEventId();
    routes.all('/api/*', (c) => answerApi(c.req.raw, c));
    for (const path of Object.values(VIEW_PATHS)) {
      if (path.startsWith(VIEW_PATHS.sandbox) && !hasSandbox) continue;
      routes.get(path, async (c) =>
        (await loadViewPages()).answerView(path, c, { answerApi, lastEventId, apiQueries, clock, sandboxOrigin }),
      );
    }
    routes.get('/language', async (c) => (await loadReaderLanguage()).chooseLanguage(c));
    // The first page of the navigation.
    routes.get('/', (c) => c.redirect(hasSandbox ? DEMO_PATH : VIEW_PATHS.overview));
  }
  if (isPageServed && hasSandbox) {
    routes.route('/', sandboxPictures(sandboxOrigin));
    let demo: ReturnType<Awaited<ReturnType<typeof loadDemo>>['createDemo']> | undefined;
    const openDemo = async () => {
      const { createDemo } = await loadDemo();
      return (demo ??= createDemo({ apiQueries, sandboxOrigin, clock, log }));
    };
    routes.get(DEMO_PATH, async (c) => (await openDemo()).page(c));
    routes.get(`${DEMO_PATH}/:part`, async (c) => (await openDemo()).part(c));
  }

  routes.notFound(answerNotFound);
  routes.onError((error, c) => answerError(error, c, log));
  return routes;
}

type RemoteAccessParts = Pick<SiteOptions, 'openAccess' | 'openDiscord' | 'trustedProxies' | 'log' | 'host'>;

/** The sign-in of a server that other machines can reach. */
async function openRemoteAccess({ openAccess, openDiscord, trustedProxies = [], log, host }: RemoteAccessParts): Promise<RemoteAccess> {
  if (!openAccess) throw new TypeError('a server that other machines can reach needs a sign-in');
  const [{ remoteAccess }, access, discord] = await Promise.all([loadRemoteAccess(), openAccess(), openDiscord?.()]);
  const { pages, check } = remoteAccess({ access, trustedProxies, discord, log });
  return { pages, check: (c, next) => (isLoopback(host) && isLocal(c) ? localAccess : check)(c, next) };
}

/** Whether a check lets a request through. */
async function passes(check: MiddlewareHandler, c: Context): Promise<boolean> {
  let hasPassed = false;
  try {
    await check(c, () => Promise.resolve(void (hasPassed = true)));
  } catch {
    // The request has no valid session or token, or the database that knows them does not answer.
  }
  return hasPassed;
}

/** The access to a server that only this machine can reach. */
const localCheck: MiddlewareHandler = (c, next) => {
  // A proxy without a host name in the settings would open the server to everyone.
  if (isLocal(c)) return localAccess(c, next);
  const detail = 'This request came through a proxy. Add the host name of the proxy to FANFARE_ALLOWED_HOSTS and restart.';
  throw new Problem({ status: 403, code: 'proxyNotAllowed', detail });
};
