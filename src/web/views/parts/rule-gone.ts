import type { Problem } from '../../client/records.ts';
import { addressWith } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { VIEW_PATHS } from '../paths.ts';
import type { VNode } from '../preact.mjs';
import { RULE_TEXTS } from '../texts/rule.ts';
import { Instant } from './time.ts';

/** Says that a rule is gone, and since when, or which errors its file has. */
export function RuleGone({
  problem: { code, errors = [], goneAt, lastRunAt } = {},
}: {
  readonly problem?: Partial<Pick<Problem, 'code' | 'errors' | 'goneAt' | 'lastRunAt'>> | undefined;
}): VNode {
  const t = useTexts(RULE_TEXTS);
  const isBroken = code === 'ruleFileHasErrors';
  const removed = goneAt === undefined ? t.gone : html`${t.removed} <${Instant} at=${goneAt} />.`;
  return html`<p class="obstacle">
      ${isBroken ? html`${t.fileHasErrors} <a href=${addressWith(VIEW_PATHS.rules, { state: 'broken' })}>${t.brokenFiles}</a>` : removed}
      ${lastRunAt !== undefined && html`<span> ${t.lastRun} <${Instant} at=${lastRunAt} />.</span>`}
    </p>
    ${isBroken && errors.map(({ detail }) => html`<p key=${detail} class="obstacle" dir="auto" lang="en">${detail}</p>`)}`;
}
