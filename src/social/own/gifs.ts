import type { Completion } from '#src/operation/complete.ts';
import type * as search from '../search.ts';
import type { GifProvider } from '../providers.ts';
import { composed, missing } from './support.ts';

/** GIFs of any provider. */
export function ownGifs(gifs: GifProvider | undefined): Completion<Pick<typeof search, 'searchGifs'>> {
  if (!gifs) return { operations: {}, capabilities: { searchGifs: missing('`gifs`, a provider of GIFs') } };
  return {
    operations: { searchGifs: (params, options) => gifs.search(params, options) },
    capabilities: { searchGifs: composed(`From ${gifs.name}.`) },
  };
}
