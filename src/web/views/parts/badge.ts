import type { Decision, Delivery } from '../../client/records.ts';
import type { VNode } from '../preact.mjs';
import { OUTCOMES, STATES, type Toned } from '../../page/inline/tones.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { OUTCOME_TEXTS } from '../texts/outcomes.ts';
import { STATE_TEXTS } from '../texts/states.ts';

/** A word in a pill. */
export function Badge({ word, tone, title }: Toned & { readonly word: string }): VNode {
  return html`<span class="badge ${tone}" title=${title}>${word}</span>`;
}

export function StateBadge({ state }: { readonly state: Delivery['state'] }): VNode {
  return html`<${Badge} tone=${STATES[state].tone} ...${useTexts(STATE_TEXTS)[state]} />`;
}

export function OutcomeBadge({ outcome }: { readonly outcome: Decision['outcome'] }): VNode {
  return html`<${Badge} tone=${OUTCOMES[outcome].tone} ...${useTexts(OUTCOME_TEXTS)[outcome]} />`;
}
