import type { Language } from '#src/streaming/enumerations.ts';
import type { Asker } from '../asker.ts';
import { escaped } from '../text/foreign-text.ts';
import { languageName, languageOf } from './languages.ts';
import { tagsIn } from './typed.ts';
import type { Given } from './view.ts';

/** What a list is narrowed to. */
export interface Filters {
  readonly tags: readonly string[];
  readonly language: Language | undefined;
  /** As ` in German with the tag speedrun`; empty where there is none. */
  readonly spoken: string;
}

/** The filters in what was given. */
export function filtersIn({ tags: typed, language: named }: Given, asker: Asker): Filters {
  const tags = tagsIn(typed);
  const language = named === undefined ? undefined : languageOf(named, asker);
  const spoken = asker.words.lookups.filters(
    language === undefined ? undefined : languageName(language, { words: asker.words, locale: asker.words.lookups.tag }),
    tags.map((tag) => `“${escaped(tag, 40)}”`),
  );
  return { tags, language, spoken };
}
