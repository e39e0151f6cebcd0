import type { Hono } from 'hono';
import { silentLog, type Log } from '#src/log.ts';
import { site, type SiteOptions } from '#src/web/site.ts';
import { FakeViews } from '../support/fake-views.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { NOW } from '../support/view-records.ts';

/** The routes over fake views, without a server. */
interface OpenSiteOptions extends Partial<Pick<SiteOptions, 'host' | 'allowedHosts' | 'sandboxOrigin' | 'takeInteraction'>> {
  readonly log?: Log;
}

export async function openSite({ host = '127.0.0.1', log = silentLog, ...options }: OpenSiteOptions = {}): Promise<{
  readonly routes: Hono;
  readonly views: FakeViews;
  readonly clock: ManualClock;
}> {
  const views = new FakeViews();
  const clock = new ManualClock(NOW);
  const routes = await site({ views, clock, log, host, ...options, closing: new AbortController().signal });
  return { routes, views, clock };
}
