import { html } from 'hono/html';
import type { Html } from './html.ts';
import { link } from './link.ts';

const ADDRESS = /(https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]])/g;

/** Text as somebody wrote it, where addresses can be followed. */
export function linkedText(text: string): Html {
  // Splitting by a captured group gives text and addresses in turn.
  return html`${text.split(ADDRESS).map((part, index) => (index % 2 === 1 ? link(part, shorten(part)) : part))}`;
}

/** An address as people read it. */
function shorten(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}
