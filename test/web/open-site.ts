import type { Hono } from 'hono';
import { createAccess, type Access } from '#src/admin/access/access.ts';
import { createPasswords } from '#src/admin/access/passwords.ts';
import { silentLog, type Log } from '#src/log.ts';
import { openStore, type Store } from '#src/store/store.ts';
import { isReachable, site, type SiteOptions } from '#src/web/site.ts';
import { FakeApiQueries } from '../support/fake-api-queries.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { noOperations } from '../support/operations.ts';
import { NOW } from '../support/view-records.ts';

/** The routes over fake views, without a server. */
interface OpenSiteOptions extends Partial<
  Pick<SiteOptions, 'host' | 'allowedHosts' | 'operations' | 'trustedProxies' | 'openDiscord' | 'sandboxOrigin' | 'takeInteraction'>
> {
  readonly log?: Log;
  /** A store with the people and sessions; otherwise a new one if people have to sign in. */
  readonly store?: Store;
}

export async function openSite({ host = '127.0.0.1', log = silentLog, store: given, ...options }: OpenSiteOptions = {}): Promise<{
  readonly routes: Hono;
  readonly apiQueries: FakeApiQueries;
  readonly clock: ManualClock;
  /** The sign-in of the site. Fails on the loopback. */
  readonly access: Access;
  /** The store of people, sessions and tokens; absent on the loopback. */
  readonly store: Store | undefined;
}> {
  const apiQueries = new FakeApiQueries();
  const clock = new ManualClock(NOW);
  const store = given ?? (isReachable({ host, ...options }) ? await openStore({ clock }) : undefined);
  const access = store ? createAccess({ store: await store.openAccess(), auditLog: store.auditLog, clock, passwords: QUICK }) : noAccess;
  const openAccess = () => Promise.resolve(access);
  const routes = await site({
    apiQueries,
    operations: noOperations,
    clock,
    log,
    host,
    openAccess,
    ...options,
    closing: new AbortController().signal,
  });
  const request = routes.request.bind(routes);
  routes.request = (input, init, env = from('192.0.2.7')) => request(input, init, env);
  return { routes, apiQueries, clock, access, store };
}

/** Hashes with the lowest cost. */
const QUICK = createPasswords({ ln: 4, r: 1, p: 1 });

/** A connection from an address. */
export function from(remoteAddress: string): object {
  return { incoming: { socket: { remoteAddress } } };
}

const noAccess = new Proxy({} as Access, {
  get() {
    throw new Error('this site has no sign-in');
  },
});
