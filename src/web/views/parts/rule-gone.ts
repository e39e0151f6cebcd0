import type { Problem } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { RULE_TEXTS } from '../texts/rule.ts';
import { Instant } from './time.ts';

/** Says that a rule is gone, and since when. */
export function RuleGone({
  problem: { goneAt, lastRunAt } = {},
}: {
  readonly problem?: Pick<Problem, 'goneAt' | 'lastRunAt'> | undefined;
}): VNode {
  const t = useTexts(RULE_TEXTS);
  return html`<p class="obstacle">
    ${goneAt === undefined ? t.gone : html`${t.removed} <${Instant} at=${goneAt} />.`}
    ${lastRunAt !== undefined && html`<span> ${t.lastRun} <${Instant} at=${lastRunAt} />.</span>`}
  </p>`;
}
