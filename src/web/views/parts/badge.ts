import type { Decision, Delivery } from '../../client/records.ts';
import type { VNode } from '../preact.mjs';
import { OUTCOME_TONES, STATE_TONES, type Tone } from '../../page/inline/tones.ts';
import { html } from '../html.ts';
import { useLanguage, useTexts } from '../language.ts';
import { OUTCOME_TEXTS } from '../texts/outcomes.ts';
import { stateText } from '../texts/states.ts';

export interface BadgeProps {
  readonly word: string;
  readonly tone: Tone;
  readonly title: string;
}

/** A word in a pill. */
export function Badge({ word, tone, title }: BadgeProps): VNode {
  return html`<span class="badge ${tone}" title=${title}>${word}</span>`;
}

export function StateBadge({ delivery }: { readonly delivery: Pick<Delivery, 'state' | 'isRead'> }): VNode {
  return html`<${Badge} tone=${STATE_TONES[delivery.state]} ...${stateText(delivery, useLanguage())} />`;
}

export function OutcomeBadge({ outcome }: { readonly outcome: Decision['outcome'] }): VNode {
  return html`<${Badge} tone=${OUTCOME_TONES[outcome]} ...${useTexts(OUTCOME_TEXTS)[outcome]} />`;
}
