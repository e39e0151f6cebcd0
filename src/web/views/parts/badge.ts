import type { VNode } from '../preact.mjs';
import type { Toned } from '../../page/inline/tones.ts';
import { html } from '../html.ts';

/** A word in a pill. */
export function Badge({ word, tone, title }: Toned & { readonly word: string }): VNode {
  return html`<span class="badge ${tone}" title=${title}>${word}</span>`;
}
