import type { Part } from './parts.ts';
import { partsOf } from './parts.ts';

const URL_PREFIX = /^https?:\/\/(www\.)?/;
const SHOWN_OF_URL = 30;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Where the links of a text lead. */
export interface Links {
  tag(name: string): string;
  /** Undefined for nobody whom the server knows: then the name stays text. */
  person(mention: {
    readonly username: string;
    readonly domain: string | undefined;
  }): { readonly url: string; readonly username: string } | undefined;
}

/** A text as Mastodon writes it in HTML: paragraphs, breaks, and links for addresses, people and hashtags. */
export function toHtml(text: string, links: Links): string {
  const trimmed = text.replaceAll(/\r\n?/g, '\n');
  if (trimmed.trim() === '') return '';
  const html = partsOf(trimmed)
    .map((part) => partHtml(part, links))
    .join('');
  return html
    .split(/\n\n+/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br />')}</p>`)
    .join('');
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** A link to an address, of which a reader sees no more than the beginning. */
export function urlHtml(url: string): string {
  const prefix = URL_PREFIX.exec(url)?.[0] ?? '';
  const rest = url.slice(prefix.length);
  const [shown, hidden] = [rest.slice(0, SHOWN_OF_URL), rest.slice(SHOWN_OF_URL)];
  return (
    `<a href="${escapeHtml(url)}" target="_blank" rel="nofollow noopener noreferrer" translate="no">` +
    `<span class="invisible">${escapeHtml(prefix)}</span><span class="${hidden === '' ? '' : 'ellipsis'}">${escapeHtml(shown)}</span>` +
    `<span class="invisible">${escapeHtml(hidden)}</span></a>`
  );
}

function partHtml(part: Part, links: Links): string {
  switch (part.kind) {
    case 'text':
      return escapeHtml(part.text);
    case 'url':
      return urlHtml(part.text);
    case 'hashtag': {
      const name = part.text.slice(1);
      return `<a href="${escapeHtml(links.tag(name))}" class="mention hashtag" rel="tag">#<span>${escapeHtml(name)}</span></a>`;
    }
    case 'mention': {
      const person = links.person(part);
      if (!person) return escapeHtml(part.text);
      return `<span class="h-card" translate="no"><a href="${escapeHtml(person.url)}" class="u-url mention">@<span>${escapeHtml(person.username)}</span></a></span>`;
    }
  }
}
