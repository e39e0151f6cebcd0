import { keepForgetting } from '#src/admin/servers/forget-left.ts';
import type { Clients } from '#src/clients/clients.ts';
import { followSources } from '#src/engine/lists/follow-sources.ts';
import { pollsThrough } from '#src/engine/planner/poll-platform.ts';
import type { UseAccount } from '#src/engine/planner/refused-accounts.ts';
import type { Store } from '#src/store/store.ts';
import { accountWatch, type AccountWatchOptions } from './account-watch.ts';
import type { OpenLists } from './open-lists.ts';

interface KeepListsOptions extends Pick<OpenLists, 'filesOnly'>, AccountWatchOptions {
  readonly clients: Clients;
  readonly measurements: { readonly poll: UseAccount };
  readonly store: Pick<Store, 'lists' | 'listSources' | 'servers' | 'outages'>;
  /** Only processes that poll read the sources of lists. */
  readonly duties: { readonly works: boolean };
  readonly firstPolls: { wait(): Promise<unknown> };
  readonly signal: AbortSignal;
}

/** Reads the sources of lists, and deletes the lists of servers that removed the bot, until `signal` aborts. */
export async function keepLists(options: KeepListsOptions): Promise<void> {
  const { filesOnly, clients, measurements, store, duties, firstPolls, clock, log, signal } = options;
  const poll = pollsThrough({ clients, watch: accountWatch(options), measure: measurements.poll });
  const forget = async (): Promise<void> => {
    await firstPolls.wait();
    await keepForgetting({ servers: store.servers, lists: store.lists, clock, log, signal });
  };
  const follow = (): Promise<void> =>
    followSources({
      folder: filesOnly,
      store: store.listSources,
      read: ({ verb, account, params }, stop) => poll({ verb, account, params: { ...params, pages: 'all' } }, { signal: stop }),
      clock,
      log,
      signal,
    });
  await Promise.all([forget(), ...(duties.works ? [follow()] : [])]);
}
