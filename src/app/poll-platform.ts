import { perform, readAll } from '#src/operation/perform.ts';
import type { Answer, Query } from '#src/planner/query.ts';
import type { Clients } from './clients.ts';

/** Asks the platform of an account what a rule watches. */
export async function pollPlatform(clients: Clients, { verb, account, params }: Query, signal: AbortSignal | undefined): Promise<Answer> {
  const { client, declared } = clients.operationOf(verb, account);
  if (declared.kind === 'list') {
    const { items, approximate, partialErrors, hasNext } = await readAll(client, declared, params, { signal });
    return { items, approximate, partialErrors, more: hasNext };
  }
  if (declared.kind === 'write') throw new Error(`${verb} writes: check should have refused it`);
  const record = await perform(client, declared, params, { signal });
  return { items: Array.isArray(record) ? record : [record], approximate: false, partialErrors: [] };
}
