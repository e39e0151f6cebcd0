import { html } from './html.ts';
import type { Html } from './elements.ts';
import { safeUrl } from './safe-url.ts';

/** A link to `address`, or only its text if the address is not safe. */
export function link(address: string | undefined, content: Html | string): Html {
  const url = safeUrl(address);
  return url === undefined ? html`${content}` : html`<a href="${url}" target="_blank" rel="noopener noreferrer">${content}</a>`;
}

const ADDRESS = /(https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]])/g;

/** A text with its addresses as links. */
export function linkedText(text: string): Html {
  // Splitting by a captured group gives text and addresses in turn.
  return html`${text.split(ADDRESS).map((part, index) => (index % 2 === 1 ? link(part, shorten(part)) : part))}`;
}

/** An address without its scheme, `www.` and trailing slash. */
function shorten(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}
