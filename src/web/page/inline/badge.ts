import { html } from 'hono/html';
import type { Html } from './html.ts';

/** What a badge's colour says. */
export type Tone = 'good' | 'bad' | 'doubt' | 'busy' | 'calm';

/** A word in a pill. */
export function badge(word: string, { tone, title }: { readonly tone: Tone; readonly title?: string | undefined }): Html {
  return html`<span class="badge ${tone}" title="${title ?? ''}">${word}</span>`;
}
