import type { Check } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
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
export function Checked({ check: { about, state, message, remedy }, isNamed = false }: CheckedProps): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  return html`<div>
    <p>
      <${Badge} tone=${TONES[state]} ...${t.checkStates[state]} />${' '} ${isNamed && html`<strong><bdi>${about}</bdi>:</strong> `}<bdi
        lang="en"
        >${message}</bdi
      >
    </p>
    ${remedy !== undefined && html`<p class="muted">${t.remedy} <bdi lang="en">${remedy}</bdi></p>`}
  </div>`;
}
