import { html } from 'hono/html';
import type { Html } from './html.ts';

/** A disc with somebody's initial, in a colour that is always theirs. */
export function avatar({ id, name }: { readonly id: string; readonly name: string }): Html {
  const [initial = '?'] = Array.from(new Intl.Segmenter().segment(name.trim()), ({ segment }) => segment.toUpperCase());
  return html`<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="20" r="20" fill="hsl(${hueOf(id)} 48% 42%)" />
    <text x="20" y="21" fill="#fff" text-anchor="middle" dominant-baseline="central">${initial}</text>
  </svg>`;
}

function hueOf(id: string): number {
  const sum = Array.from(id).reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 100_003, 7);
  return sum % 360;
}
