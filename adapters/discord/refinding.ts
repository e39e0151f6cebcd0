import { PlatformError } from '#src/errors.ts';
import { codeOf, CODES } from './faults.ts';
import type { NamedThings } from './named.ts';

/** The refusals that say that what was found is gone, so that nothing was done. */
const GONE: readonly unknown[] = [CODES.unknownChannel, CODES.unknownRole];

/** Does something with what a name means; where that is gone and another has the name, once more with that one. */
export async function refinding<F extends { readonly id: string }, T>(
  known: Pick<NamedThings, 'forget'>,
  find: () => Promise<F>,
  act: (found: F) => Promise<T>,
): Promise<T> {
  const found = await find();
  try {
    return await act(found);
  } catch (error) {
    if (isMissing(error)) known.forget();
    if (!GONE.includes(codeOf(error))) throw error;
    const other = await find().catch((unfound: unknown) => {
      if (!isMissing(unfound)) throw unfound;
    });
    if (!other || other.id === found.id) throw error;
    return act(other);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof PlatformError && error.fault === 'missing';
}
