import { keepForgetting } from '#src/admin/servers/forget-left.ts';
import type { Clients } from '#src/clients/clients.ts';
import type { Clock } from '#src/clock.ts';
import { followSources } from '#src/engine/lists/follow-sources.ts';
import { pollsThrough } from '#src/engine/planner/poll-platform.ts';
import type { UseAccount } from '#src/engine/planner/refused-accounts.ts';
import type { Log } from '#src/log.ts';
import type { Store } from '#src/store/store.ts';
import type { OpenLists } from './open-lists.ts';

interface KeepListsOptions extends Pick<OpenLists, 'filesOnly'> {
  readonly clients: Clients;
  readonly measurements: { readonly poll: UseAccount };
  /** Watches the reads of an account. */
  readonly watchAccount: UseAccount;
  readonly store: Pick<Store, 'lists' | 'listSources' | 'servers'>;
  /** Only processes that poll read the sources of lists. */
  readonly duties: { readonly works: boolean };
  readonly firstPolls: { wait(): Promise<unknown> };
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Reads the sources of lists, and deletes the lists of servers that removed the bot, until `signal` aborts. */
export async function keepLists({
  filesOnly,
  clients,
  measurements,
  watchAccount: watch,
  store,
  duties,
  firstPolls,
  clock,
  log,
  signal,
}: KeepListsOptions): Promise<void> {
  const poll = pollsThrough({ clients, watch, measure: measurements.poll });
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
