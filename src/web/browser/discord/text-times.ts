import { discordTime } from '../../page/inline/discord-time.ts';
import type { Language } from '../../views/language.ts';
import { localeOf } from '../../views/parts/discord/rich-text.ts';
import { now } from '../../views/parts/time.ts';
import { element } from '../element.ts';

/** Shows the times in texts of messages in the time zone of the reader, and keeps the relative ones current. */
export function keepTextTimes(language: Language): void {
  const view = element('view');
  const locale = localeOf(language);

  function update(): void {
    for (const time of view.querySelectorAll<HTMLTimeElement>('time[data-style]')) {
      const atMs = Date.parse(time.dateTime);
      const text = discordTime(atMs, time.dataset['style'] ?? '', { nowMs: now.value, locale });
      if (time.textContent !== text) time.textContent = text;
      if (time.title === '') time.title = discordTime(atMs, 'F', { nowMs: now.value, locale });
    }
  }

  now.subscribe(update);
  // Messages bring new texts.
  new MutationObserver(update).observe(view, { childList: true, subtree: true });
}
