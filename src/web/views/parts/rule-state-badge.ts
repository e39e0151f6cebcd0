import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { RULE_STATE_TONES, type RuleState } from '../rule-state.ts';
import { RULE_STATE_TEXTS } from '../texts/rule-states.ts';
import { Badge } from './badge.ts';

export function RuleStateBadge({ state }: { readonly state: RuleState }): VNode {
  return html`<${Badge} tone=${RULE_STATE_TONES[state]} ...${useTexts(RULE_STATE_TEXTS)[state]} />`;
}
