import type { RoundOptions } from '#src/clients/operation/call.ts';
import { perform, readAll } from '#src/clients/operation/client.ts';
import type { PlannerOptions } from './planner.ts';
import type { PollResult, Query } from './query.ts';
import type { UseAccount } from './refused-accounts.ts';
import { inViewerOrder } from './viewer-order.ts';
import type { Clients } from '#src/clients/clients.ts';

export interface PollsOptions {
  readonly clients: Clients;
  readonly watch: UseAccount;
  readonly measure: UseAccount;
}

/** Sends queries through the clients of their accounts. `watch` receives the result of each use of an account, and `measure` measures it. */
export function pollsThrough({ clients, watch, measure }: PollsOptions): PlannerOptions['poll'] {
  return (query, options) => watch(query.account, () => measure(query.account, () => pollPlatform(clients, query, options)));
}

/** Sends a query of a rule to the platform of an account. */
export async function pollPlatform(clients: Clients, query: Query, options: RoundOptions): Promise<PollResult> {
  const { verb, account, params } = query;
  const { client, declared } = clients.operationOf(verb, account);
  if (declared.kind === 'list') {
    const { items, approximate, partialErrors, hasNext } = await readAll(client, declared, params, options);
    return { items: inViewerOrder(query, items), approximate, partialErrors, more: hasNext };
  }
  if (declared.kind === 'write') throw new Error(`${verb} writes: check should have refused it`);
  const record = await perform(client, declared, params, options);
  return { items: Array.isArray(record) ? record : [record], approximate: false, partialErrors: [] };
}
