import { html } from 'hono/html';
import type { Html } from './looker.ts';

const COLORS = ['#5865f2', '#57a55a', '#c27c0e', '#eb459e', '#ed4245', '#3498db', '#9b59b6'];

/** A disc with somebody's initial, in a colour that is always theirs. */
export function avatar({ id, name }: { readonly id: string; readonly name: string }): Html {
  const [initial = '?'] = Array.from(new Intl.Segmenter().segment(name.trim()), ({ segment }) => segment.toUpperCase());
  const color = COLORS[Number(BigInt(id) % BigInt(COLORS.length))];
  return html`<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true">
    <circle cx="20" cy="20" r="20" fill="${color}" />
    <text x="20" y="21" fill="#fff" font-size="18" text-anchor="middle" dominant-baseline="central">${initial}</text>
  </svg>`;
}
