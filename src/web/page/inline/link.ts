import { html } from 'hono/html';
import type { Html } from './elements.ts';

/** An address that a browser may open; undefined for other schemes such as `javascript:` and `file:`. */
export function safeUrl(address: string | undefined): string | undefined {
  return withProtocol(address, ['http:', 'https:']);
}

/** An address that a browser may show as a picture. */
export function imageUrl(address: string | undefined): string | undefined {
  return withProtocol(address, ['http:', 'https:', 'data:']);
}

/** A link to `address`, or only its text if the address is not safe. */
export function link(address: string | undefined, content: Html | string): Html {
  const url = safeUrl(address);
  return url === undefined ? html`${content}` : html`<a href="${url}" target="_blank" rel="noopener noreferrer">${content}</a>`;
}

function withProtocol(address: string | undefined, protocols: readonly string[]): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url && protocols.includes(url.protocol) ? url.href : undefined;
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
