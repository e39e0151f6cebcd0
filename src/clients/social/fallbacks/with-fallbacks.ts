import type { Clock } from '#src/clock.ts';
import { withFallback, type Fallback } from '#src/clients/operation/fallback.ts';
import type { Platform } from '#src/clients/operation/platform.ts';
import type * as assistant from '../assistant.ts';
import type * as insight from '../insight.ts';
import type * as posts from '../posts.ts';
import type { Providers, GifProvider } from '../providers.ts';
import type * as schedule from '../schedule.ts';
import type * as search from '../search.ts';
import { assistantFallback } from './assistant.ts';
import { scheduleFallback } from './schedule.ts';
import { assistantTranslator, withTranslator, translationFallback } from './translation.ts';
import { composed, missing } from './support.ts';

/** The operations that fallbacks replace or need. */
type Parts = Platform<typeof assistant & typeof insight & typeof posts & typeof schedule & typeof search>;

/** The platform with the operations that `providers` can replace. */
export function withFallbacks<P extends Parts>(platform: P, { assistant: model, gifs, translator, keep }: Providers, clock: Clock): P {
  const translates = translator ?? (model && assistantTranslator(model));
  const answering = withFallback(platform, assistantFallback({ platform: model, transcripts: keep?.transcripts, clock }));
  const withGifs = withFallback(answering, gifFallback(gifs));
  const withSchedule = withFallback(withGifs, scheduleFallback({ schedule: keep?.schedule, platform, clock }));
  return withFallback(withTranslator(withSchedule, translates), translationFallback(translates, platform.operations.postDetail));
}

/** Creates a search for GIFs with any provider. */
function gifFallback(gifs: GifProvider | undefined): Fallback<Pick<typeof search, 'searchGifs'>> {
  if (!gifs) return { operations: {}, capabilities: { searchGifs: missing('`gifs`, a provider of GIFs') } };
  return {
    operations: { searchGifs: (params, options) => gifs.search(params, options) },
    capabilities: { searchGifs: composed(`From ${gifs.name}.`) },
  };
}
