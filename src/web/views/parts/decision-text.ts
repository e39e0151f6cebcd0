import type { Decision } from '../../client/records.ts';
import { html } from '../html.ts';
import type { VNode } from '../preact.mjs';
import { useReasons } from '../reasons.ts';

export function DecisionText(decision: Pick<Decision, 'at' | 'details' | 'message' | 'reason' | 'stop'>): VNode {
  const { text, lang } = useReasons().decided(decision);
  return html`<span lang=${lang}>${text}</span>`;
}
