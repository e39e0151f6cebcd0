import type { RoundOptions } from '#src/clients/operation/call.ts';
import { perform, readAll } from '#src/clients/operation/client.ts';
import type { PlannerOptions } from './planner.ts';
import type { PollResult, Query } from './query.ts';
import type { UseAccount } from './refused-accounts.ts';
import type { Clients } from '#src/clients/clients.ts';

export interface PollsOptions {
  readonly clients: Clients;
  readonly watch: UseAccount;
  readonly measure: UseAccount;
}

/** Lists that are ranked by viewers, unless `sort` names another order. */
const MOST_WATCHED_FIRST = new Set(['streaming.getTopStreams', 'streaming.getGameStreams']);

/** Sends queries through the clients of their accounts. `watch` receives the result of each use of an account, and `measure` measures it. */
export function pollsThrough({ clients, watch, measure }: PollsOptions): PlannerOptions['poll'] {
  return (query, options) => watch(query.account, () => measure(query.account, () => pollPlatform(clients, query, options)));
}

/** Sends a query of a rule to the platform of an account. */
export async function pollPlatform(clients: Clients, { verb, account, params }: Query, options: RoundOptions): Promise<PollResult> {
  const { client, declared } = clients.operationOf(verb, account);
  if (declared.kind === 'list') {
    const { items, approximate, partialErrors, hasNext } = await readAll(client, declared, params, options);
    return { items: isByViewers(verb, params) ? items.toSorted(byViewers) : items, approximate, partialErrors, more: hasNext };
  }
  if (declared.kind === 'write') throw new Error(`${verb} writes: check should have refused it`);
  const record = await perform(client, declared, params, options);
  return { items: Array.isArray(record) ? record : [record], approximate: false, partialErrors: [] };
}

function isByViewers(verb: string, { sort = 'VIEWER_COUNT' }: Query['params']): boolean {
  return MOST_WATCHED_FIRST.has(verb) && sort === 'VIEWER_COUNT';
}

/** Pages are read one after the other, so a stream on a later page may have more viewers by then. */
function byViewers(a: unknown, b: unknown): number {
  return viewersOf(b) - viewersOf(a);
}

function viewersOf(item: unknown): number {
  return typeof item === 'object' && item !== null && 'viewerCount' in item ? Number(item.viewerCount) : 0;
}
