import { Hono } from 'hono';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { answerError, answerNotFound } from './answers.ts';
import { description } from './api/description.ts';
import { events } from './api/events.ts';
import { metrics, probes } from './api/health.ts';
import { interactions, type TakeInteraction } from './api/interactions.ts';
import { lists } from './api/lists.ts';
import { assets } from './assets.ts';
import { allowedHosts, hostCheck, isEveryAddress } from './host-check.ts';
import { pages } from './page/pages.ts';
import { sandboxPictures } from './sandbox-pictures.ts';
import { securityHeaders } from './security-headers.ts';
import type { Views } from '#src/queries/views.ts';

export interface SiteOptions {
  readonly views: Views;
  /** Whether the page and the API are served; otherwise only health and metrics are. */
  readonly isPageServed?: boolean | undefined;
  /** Handles interactions that Discord sends over HTTP; absent if Fanfare does not receive them. */
  readonly takeInteraction?: TakeInteraction | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** The listening address. */
  readonly host: string;
  /** The allowed host names, beside the listening address and loopback names. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The origin of the sandbox; absent with real accounts. */
  readonly sandboxOrigin?: string | undefined;
  /** Ends all event streams. */
  readonly closing: AbortSignal;
}

/** All routes of the server. */
export async function site({
  views,
  isPageServed = true,
  takeInteraction,
  clock,
  log,
  host,
  allowedHosts: names = [],
  sandboxOrigin,
  closing,
}: SiteOptions): Promise<Hono> {
  const routes = new Hono();
  routes.use(securityHeaders());
  // Interactions are signed, so they need no allowed host name.
  if (takeInteraction) routes.route('/', interactions(takeInteraction));
  routes.use(async (c, next) => {
    await next();
    // Answers show the current state, so caches must not store them.
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  });

  const isAllowed = allowedHosts(isEveryAddress(host) ? names : [host, ...names]);
  routes.route('/', probes(views, isAllowed));
  routes.use(hostCheck(isAllowed));
  routes.route('/', metrics(views));
  if (isPageServed) {
    routes.route('/', lists(views));
    routes.route('/', events({ views, clock, closing }));
    routes.route('/', description());
    routes.route('/', pages({ views, sandboxOrigin, clock, log }));
    routes.route('/', await assets());
  }
  if (isPageServed && sandboxOrigin !== undefined) routes.route('/', sandboxPictures(sandboxOrigin));

  routes.notFound(answerNotFound);
  routes.onError((error, c) => answerError(error, c, log));
  return routes;
}
