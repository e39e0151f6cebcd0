import type { html } from 'hono/html';
import type { Member } from '../guild/members.ts';
import type { InGuild } from '../parts.ts';

/** A piece of the page, escaped already. */
export type Html = ReturnType<typeof html>;

/** Who looks at a channel, and when. */
export interface Looker {
  readonly discord: InGuild;
  /** Sees what only they may see; absent: nobody in particular. */
  readonly member: Member | undefined;
  readonly nowMs: number;
  /** As their computer has it. */
  readonly zone: string;
  readonly locale: string;
  /** Shows what a select offers, as after a click on it. */
  readonly unfolded: boolean;
}

/** `address` where a browser may follow it. */
export function safeUrl(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href : undefined;
}
