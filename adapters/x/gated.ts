import { PlatformError, UnsupportedOperation } from '#src/errors.ts';

/** Why most apps may not do this. */
export const NOT_SELF_SERVE = {
  reason: 'TIER_REQUIRED',
  detail: 'X took it out of the plans that anybody can buy: it is there for enterprises only.',
} as const;

/** Does what not every plan includes; X's word that this one does not is an `UnsupportedOperation`. */
export async function gated<R>(operation: string, alternatives: readonly string[], ask: () => Promise<R>): Promise<R> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.cause !== 'plan') throw error;
    throw new UnsupportedOperation({ platform: 'x', operation, ...NOT_SELF_SERVE, alternatives });
  }
}
