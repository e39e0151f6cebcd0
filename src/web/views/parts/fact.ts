import { html } from '../html.ts';
import type { VNode } from '../preact.mjs';

/** A row of a list of facts. */
export function Fact({ name, text }: { readonly name: unknown; readonly text: unknown }): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd>${text}</dd>
  </div>`;
}
