import { POLLING as GERMAN } from './de/polling.ts';
import { POLLING as ENGLISH, type PollingTexts } from './polling.ts';

/** The sentences about the polls of a rule for a locale, for example `de` or `en-GB`; English for unsupported languages. */
export function pollingTextsFor(locale: string): PollingTexts {
  return locale.split('-')[0] === 'de' ? GERMAN : ENGLISH;
}
