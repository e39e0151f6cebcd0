import type { Decision, Delivery } from '../../client/records.ts';
import { addressOfDelivery, addressOfItem, addressOfRule, addressWith } from '../addresses.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { VIEW_PATHS } from '../paths.ts';
import type { VNode } from '../preact.mjs';
import { OUTCOME_TEXTS } from '../texts/outcomes.ts';
import { RULE_TEXTS } from '../texts/rule.ts';
import { Again } from './again.ts';
import { OutcomeBadge, StateBadge } from './badge.ts';
import { DecisionText } from './decision-text.ts';
import type { Address } from '../view.ts';
import { Instant } from './time.ts';

interface DecisionsProps {
  readonly id: string;
  readonly decisions: readonly Decision[];
  readonly cursor: string | undefined;
  readonly outcome: Decision['outcome'] | undefined;
  /** The searched text of messages. */
  readonly text: string | undefined;
  readonly address: Address;
}

/** A page of the decisions of a rule. */
export function RuleDecisions({ id, decisions, cursor, outcome, text, address }: DecisionsProps): VNode {
  const t = useTexts(RULE_TEXTS);
  const here = addressOfRule(id);
  return html`<section class="panel padded" aria-labelledby="decisions">
    <h2 id="decisions">${t.decisions}</h2>
    <form class="filters" action=${`${here}#decisions`} role="search">
      ${address.query['text'] !== undefined && html`<${Again} address=${address} />`}
      <label>${t.text} <input type="search" name="text" defaultValue=${text ?? ''} maxlength="200" /></label>
      <label>
        ${t.outcome}
        <select name="outcome">
          <option value="">${t.any}</option>
          ${Object.entries(useTexts(OUTCOME_TEXTS)).map(([name, { word }]) => html`<option key=${name} value=${name} selected=${name === outcome}>${word}</option>`)}
        </select>
      </label>
      <p class="submit"><button>${t.filter}</button></p>
    </form>
    ${decisions.length === 0 && html`<p class="muted">${outcome === undefined && text === undefined ? t.noDecisions : t.noMatch}</p>`}
    <ol class="history">
      ${decisions.map(
        ({ item, ...decision }) =>
          html`<li key=${`${decision.at} ${item ?? ''} ${decision.outcome}`}>
            <span class="when"><${Instant} at=${decision.at} /></span>
            <${OutcomeBadge} outcome=${decision.outcome} />
            <p dir="auto">
              <${DecisionText} ...${decision} />${' '}
              ${item !== undefined && html`<a href=${addressOfItem(item)}>${t.why}<span class="unseen"> ${item}</span></a>`}
            </p>
          </li>`,
      )}
    </ol>
    ${cursor !== undefined && html`<p><a href=${`${addressWith(here, { outcome, text, cursor })}#decisions`} rel="next">${t.older}</a></p>`}
  </section>`;
}

/** The newest deliveries of a rule. */
export function RuleDeliveries({ id, deliveries }: { readonly id: string; readonly deliveries: readonly Delivery[] }): VNode {
  const t = useTexts(RULE_TEXTS);
  return html`<section class="panel padded" aria-labelledby="deliveries">
    <h2 id="deliveries"><a href=${addressWith(VIEW_PATHS.deliveries, { rule: id })}>${t.deliveries}</a></h2>
    ${deliveries.length === 0 && html`<p class="muted">${t.noDeliveries}</p>`}
    <ol class="history">
      ${deliveries.map(
        ({ id: key, do: verb, account, text, sentAt, createdAt, ...delivery }) =>
          html`<li key=${key}>
            <span class="when"><${Instant} at=${sentAt ?? createdAt} /></span>
            <${StateBadge} delivery=${delivery} />
            <p dir="auto">
              <a href=${addressOfDelivery(key)}><code>${verb}</code> → <bdi>${account}</bdi></a> ${text}
            </p>
          </li>`,
      )}
    </ol>
  </section>`;
}
