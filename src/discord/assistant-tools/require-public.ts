import { ToolError } from '#src/clients/assistant/tools.ts';
import { isPublic } from '#src/clients/operation/audience.ts';
import { perform } from '#src/clients/operation/client.ts';
import type { AnyClient } from '#src/clients/operation/client.ts';
import type { Declared } from '#src/clients/operation/declared.ts';
import type { OfferedRead, Subject } from './offered-reads.ts';
import type { ReadInput } from './read-input.ts';

/** The clients of all accounts. */
export interface OperationClients {
  /** The client and the declaration of an operation; throws if the account is gone. */
  operationOf(verb: string, account: string): { readonly client: AnyClient; readonly declared: Declared };
}

/** The operation that reads a subject, and the parameter that names it. */
const VISIBILITY_READS: Readonly<Record<Subject, readonly [verb: string, parameter: string]>> = {
  post: ['social.postDetail', 'identifier'],
  list: ['social.getList', 'list'],
  user: ['social.getUserInfo', 'user'],
  community: ['social.getCommunity', 'community'],
};

/** Rejects a read about a subject that is not public. */
export async function requirePublic(
  { subject, parameter }: NonNullable<OfferedRead['of']>,
  { account, params }: ReadInput,
  { clients, signal }: { readonly clients: OperationClients; readonly signal: AbortSignal },
): Promise<void> {
  const [verb, name] = VISIBILITY_READS[subject];
  const { client, declared } = clients.operationOf(verb, account);
  const found = await perform(client, declared, { [name]: params[parameter] }, { signal });
  const isProtected = typeof found === 'object' && found !== null && 'protected' in found && found.protected === true;
  if (isProtected || !isPublic(found)) throw new ToolError(`this ${subject} is not public`);
}
