import { html } from 'hono/html';
import type { Html } from './html.ts';

/** `address` where a browser may follow it; what else somebody wrote there (`javascript:`, `file:`) is nothing. */
export function safeUrl(address: string | undefined): string | undefined {
  return withProtocol(address, ['http:', 'https:']);
}

/** `address` where a browser may show it as a picture. */
export function imageUrl(address: string | undefined): string | undefined {
  return withProtocol(address, ['http:', 'https:', 'data:']);
}

/** Leads to `address`; where that is not safe, only its text is left. */
export function link(address: string | undefined, content: Html | string): Html {
  const url = safeUrl(address);
  return url === undefined ? html`${content}` : html`<a href="${url}" target="_blank" rel="noopener noreferrer">${content}</a>`;
}

function withProtocol(address: string | undefined, protocols: readonly string[]): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url && protocols.includes(url.protocol) ? url.href : undefined;
}
