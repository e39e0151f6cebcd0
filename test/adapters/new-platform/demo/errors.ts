import type { Fault } from '#src/errors.ts';

/** Demo answers 460 if a client sends too many requests. */
export function faultOf({ status }: { readonly status: number }): Fault | undefined {
  return status === 460 ? 'rateLimited' : undefined;
}
