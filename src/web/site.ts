import { Hono } from 'hono';
import type { Clock } from '#src/clock.ts';
import type { Log } from '#src/log.ts';
import { answerError, answerNotFound } from './answers.ts';
import { events } from './api/events.ts';
import { health } from './api/health.ts';
import { interactions, type TakeInteraction } from './api/interactions.ts';
import { lists } from './api/lists.ts';
import { assets } from './assets.ts';
import { hostCheck, isEveryAddress } from './host-check.ts';
import { pages } from './page/pages.ts';
import { sandboxPictures } from './sandbox-pictures.ts';
import { securityHeaders } from './security-headers.ts';
import type { Views } from '#src/queries/views.ts';

export interface SiteOptions {
  readonly views: Views;
  /** Takes the interactions that Discord sends over HTTP; without it there is no such address. */
  readonly takeInteraction?: TakeInteraction | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** The address that the server listens on. */
  readonly host: string;
  /** The names under which it may be asked, beside that address and those of the loopback. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Where the sandbox is; absent: real accounts. */
  readonly sandboxOrigin?: string | undefined;
  /** Ends what is still being streamed. */
  readonly closing: AbortSignal;
}

/** All routes, ready to be served. */
export async function site({
  views,
  takeInteraction,
  clock,
  log,
  host,
  allowedHosts = [],
  sandboxOrigin,
  closing,
}: SiteOptions): Promise<Hono> {
  const routes = new Hono();
  routes.use(securityHeaders());
  // Whoever asks, and by whichever name: it is signed.
  if (takeInteraction) routes.route('/', interactions(takeInteraction));
  routes.use(hostCheck(isEveryAddress(host) ? allowedHosts : [host, ...allowedHosts]));
  routes.use(async (c, next) => {
    await next();
    // What Fanfare does now is of no use to a cache.
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  });

  routes.route('/', health(views));
  routes.route('/', lists(views));
  routes.route('/', events({ views, clock, closing }));
  routes.route('/', pages({ views, sandboxOrigin, clock, log }));
  routes.route('/', await assets());
  if (sandboxOrigin !== undefined) routes.route('/', sandboxPictures(sandboxOrigin));

  routes.notFound(answerNotFound);
  routes.onError((error, c) => answerError(error, c, log));
  return routes;
}
