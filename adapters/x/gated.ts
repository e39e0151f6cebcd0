import { PlatformError, UnsupportedOperation } from '#src/errors.ts';
import { NOT_SELF_SERVE } from './capabilities.ts';

/** Does what not every plan includes; X's word that this one does not is an `UnsupportedOperation`. */
export async function gated<R>(operation: string, alternatives: readonly string[], ask: () => Promise<R>): Promise<R> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.cause !== 'plan') throw error;
    throw new UnsupportedOperation({ platform: 'x', operation, ...NOT_SELF_SERVE, alternatives });
  }
}
