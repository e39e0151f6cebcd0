import type { CheckReason } from '#src/admin/doctor/check-reason.ts';
import { checked, CHECKED_PARTS } from '#src/admin/language/de/checks.ts';
import type { Check } from '../../client/records.ts';
import { html } from '../html.ts';
import { useLanguage, useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { ACCOUNTS_TEXTS } from '../texts/accounts.ts';
import { Badge } from './badge.ts';

const TONES = { good: 'good', warning: 'doubt', bad: 'bad' } as const;

interface CheckedProps {
  readonly check: Check;
  /** Whether the name of the checked part is shown. */
  readonly isNamed?: boolean;
}

/** The result of a check, with its remedy. */
export function Checked({ check: { about, state, ...english }, isNamed = false }: CheckedProps): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  const isGerman = useLanguage() === 'de';
  const german = isGerman && english.reason ? checked(english.reason as CheckReason) : undefined; // a reason of the API
  const { message, remedy } = german ?? english;
  const lang = isGerman && !german ? 'en' : undefined;
  return html`<div>
    <p>
      <${Badge} tone=${TONES[state]} ...${t.checkStates[state]} />${' '}
      ${isNamed && html`<strong><bdi>${(isGerman && CHECKED_PARTS[about]) || about}</bdi>:</strong> `}<bdi lang=${lang}>${message}</bdi>
    </p>
    ${remedy !== undefined && html`<p class="muted">${t.remedy} <bdi lang=${lang}>${remedy}</bdi></p>`}
  </div>`;
}
