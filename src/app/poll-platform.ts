import { perform, readAll } from '#src/operation/client.ts';
import type { PollResult, Query } from '#src/planner/query.ts';
import type { Clients } from './clients.ts';

/** Lists that are ranked by viewers, unless `sort` names another order. */
const MOST_WATCHED_FIRST = new Set(['streaming.getTopStreams', 'streaming.getGameStreams']);

/** Sends a query of a rule to the platform of an account. */
export async function pollPlatform(
  clients: Clients,
  { verb, account, params }: Query,
  signal: AbortSignal | undefined,
): Promise<PollResult> {
  const { client, declared } = clients.operationOf(verb, account);
  if (declared.kind === 'list') {
    const { items, approximate, partialErrors, hasNext } = await readAll(client, declared, params, { signal });
    return { items: isByViewers(verb, params) ? items.toSorted(byViewers) : items, approximate, partialErrors, more: hasNext };
  }
  if (declared.kind === 'write') throw new Error(`${verb} writes: check should have refused it`);
  const record = await perform(client, declared, params, { signal });
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
