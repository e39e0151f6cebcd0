import type { Clock } from '#src/clock.ts';
import { complete } from '#src/operation/complete.ts';
import type { Platform } from '#src/operation/platform.ts';
import type * as assistant from '../assistant.ts';
import type * as insight from '../insight.ts';
import type * as posts from '../posts.ts';
import type { Providers } from '../providers.ts';
import type * as schedule from '../schedule.ts';
import type * as search from '../search.ts';
import { ownAssistant } from './assistant.ts';
import { ownGifs } from './gifs.ts';
import { ownSchedule } from './schedule.ts';
import { assistantTranslator, elseTranslated, ownTranslation } from './translation.ts';

/** What of a platform the own side may stand in for, or needs. */
type Parts = Platform<typeof assistant & typeof insight & typeof posts & typeof schedule & typeof search>;

/** The platform with what `providers` can do where it cannot. */
export function withOwnSide<P extends Parts>(platform: P, { assistant: model, gifs, translator, keep }: Providers, clock: Clock): P {
  const translates = translator ?? (model && assistantTranslator(model));
  const answering = complete(platform, ownAssistant({ platform: model, transcripts: keep?.transcripts, clock }));
  const withGifs = complete(answering, ownGifs(gifs));
  const withSchedule = complete(withGifs, ownSchedule({ schedule: keep?.schedule, platform, clock }));
  return complete(elseTranslated(withSchedule, translates), ownTranslation(translates, platform.operations.postDetail));
}
