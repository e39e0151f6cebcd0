import { PlatformError, UnsupportedOperation, UnsupportedParameter, UserError } from '#src/errors.ts';
import type { Words } from '../language/words.ts';
import { titleOf } from './accounts.ts';

/** What is told where something is missing, or cannot be done. */
export interface Explanations {
  readonly missing?: string | undefined;
  readonly unsupported?: ((platform: string) => string) | undefined;
}

/** Does `work`; what it fails with is told in the words of whoever asked, where they can do something about it. */
export async function explained<T>(work: () => Promise<T>, words: Words, { missing, unsupported }: Explanations): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (missing !== undefined && error instanceof PlatformError && error.fault === 'missing') throw new UserError(missing);
    if (error instanceof UnsupportedOperation || error instanceof UnsupportedParameter) {
      throw new UserError((unsupported ?? words.lookups.cannot)(titleOf(error.platform)));
    }
    throw error;
  }
}
