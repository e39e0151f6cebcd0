import { html } from './html.ts';
import type { Language } from '../../language.ts';

/** A piece of a page. Its texts are escaped. */
export type Html = ReturnType<typeof html>;

/** A disc with the first character of a name. Its colour depends on the id. */
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

const FORMATS = { en: formatsOf('en-GB'), de: formatsOf('de') };

function formatsOf(locale: string) {
  return {
    full: new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' }),
    short: new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  };
}

/** An instant in UTC. The script of the page replaces it by the time since then. */
export function instant(at: Date, language: Language): Html {
  const { full, short } = FORMATS[language];
  return html`<time datetime="${at.toISOString()}" title="${full.format(at)} UTC">${short.format(at)} UTC</time>`;
}
