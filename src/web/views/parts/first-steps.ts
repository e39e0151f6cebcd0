import type { Status } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { VIEW_PATHS } from '../paths.ts';
import type { VNode } from '../preact.mjs';
import { OVERVIEW_TEXTS } from '../texts/overview.ts';

/** The steps until the first message is sent; nothing afterwards. */
export function FirstSteps({ status: { accounts, rules, deliveries, brokenFiles } }: { readonly status: Status }): VNode | undefined {
  const t = useTexts(OVERVIEW_TEXTS);
  if (!deliveries || deliveries.sent > 0) return undefined;
  const { account, accountHow, rule, ruleHow, filesHow, pausedHow, message, messageHow, rules: allRules } = t.steps;
  const newRule = html`${ruleHow} <code>npx fanfare new</code>`;
  const steps = [
    {
      name: account,
      how: html`${accountHow} <code>npx fanfare auth discord</code>`,
      isDone: accounts.some(({ state }) => state === 'connected'),
    },
    { name: rule, how: rules.paused > 0 ? pausedHow : brokenFiles.length > 0 ? filesHow : newRule, isDone: rules.on > rules.paused },
    { name: message, how: html`${messageHow} <a href=${VIEW_PATHS.rules}>${allRules}</a>`, isDone: false },
  ];
  return html`<section class="panel padded" aria-labelledby="first">
    <h2 id="first">${t.first}</h2>
    <ol class="first-steps">
      ${steps.map(
        ({ name, how, isDone }) =>
          html`<li key=${name}>
            <span class=${isDone ? 'good' : 'muted'} aria-hidden="true">${isDone ? '✓' : '○'}</span>
            <div>
              <p>${name}<span class="unseen">: ${isDone ? t.done : t.toDo}</span></p>
              ${!isDone && html`<p class="muted">${how}</p>`}
            </div>
          </li>`,
      )}
    </ol>
  </section>`;
}
