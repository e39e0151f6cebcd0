import { discordTime } from '#src/web/page/inline/discord-time.ts';
import type { Member } from '../guild/members.ts';
import type { InGuild } from '../parts.ts';

export interface PageContext {
  readonly discord: InGuild;
  /** The member who sees the page. Absent: the page has no ephemeral messages. */
  readonly member: Member | undefined;
  readonly nowMs: number;
}

/** A color of Discord for CSS. */
export function hexColor(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

/** A time in one of Discord's styles, in UTC. `R` is relative to now. */
export function formatTime(atMs: number, style: string, { nowMs }: Pick<PageContext, 'nowMs'>): string {
  return discordTime(atMs, style, { nowMs, locale: 'en-GB', timeZone: 'UTC' });
}

/** The time of a message next to the name of its author. */
export function timeOfMessage(atMs: number, context: PageContext): string {
  const day = formatTime(atMs, 'd', context);
  const time = formatTime(atMs, 't', context);
  return day === formatTime(context.nowMs, 'd', context) ? time : `${day}, ${time}`;
}
