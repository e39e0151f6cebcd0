import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { RULES_TEXTS } from '../texts/rules.ts';
import type { Reader } from '../view.ts';

/** The buttons for the selected rules, for readers who may act. The script of the views sends their requests. */
export function BulkActions({ reader: { canAct } }: { readonly reader: Reader }): VNode | undefined {
  const t = useTexts(RULES_TEXTS);
  if (!canAct) return undefined;
  const of = html`<span class="unseen"> ${t.ofSelected}</span>`;
  return html`<div class="actions bulk" role="group" aria-label=${t.bulk}>
    <label><input type="checkbox" id="select-all" autocomplete="off" /> ${t.selectAll}</label>
    <button type="button" data-bulk="pause">${t.pause}${of}</button>
    <button type="button" data-bulk="resume">${t.resume}${of}</button>
    <span class="muted" id="selected-count" role="status"></span>
  </div>`;
}
