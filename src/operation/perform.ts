import { ContainerPromise } from '#src/paging/container-promise.ts';
import { Container } from '#src/paging/container.ts';
import type { Walk } from '#src/paging/page.ts';
import { call, parseParams, walk, type CallOptions, type WriteOptions } from './call.ts';
import { recover, type AnyClient } from './client.ts';
import type { Declared, DeclaredList, DeclaredWrite } from './declared.ts';
import type { Inconclusive, RecoverOptions, Recovery } from './platform.ts';

/** Does an operation that is known by its declaration only, with parameters as YAML says them. */
export async function perform(client: AnyClient, declared: Declared, input: unknown, options: WriteOptions = {}): Promise<unknown> {
  if (declared.kind === 'list') return readAll(client, declared, input, options);
  return client[call](declared, parseParams(declared, input), options);
}

/** Reads the pages that `input` asks for, one after the other without a pause: the governor alone slows it down. */
export async function readAll(
  client: AnyClient,
  declared: DeclaredList,
  input: unknown,
  options: CallOptions = {},
): Promise<Container<unknown>> {
  return await new ContainerPromise(Container<unknown>, () => {
    const params = parseParams(declared, input) as Walk; // list() asks that its parameters are a walk's
    return client[walk](declared, { ...params, waitTime: 0 }, { ...options, ahead: true });
  });
}

/** Asks what became of an earlier attempt at a write. */
export function recoverWrite(
  client: AnyClient,
  declared: DeclaredWrite,
  input: unknown,
  options: RecoverOptions,
): Promise<Recovery<unknown> | Inconclusive> {
  return client[recover](declared, parseParams(declared, input), options);
}
