import { html } from 'hono/html';
import type { Html } from './html.ts';

const FULL = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'medium' });
const SHORT = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** A point in time. The page's script says how long ago it was; without it the time stands there in UTC. */
export function instant(at: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${FULL.format(at)} UTC">${SHORT.format(at)} UTC</time>`;
}
