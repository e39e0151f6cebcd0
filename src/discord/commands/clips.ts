import { clipCard } from '../cards/streaming-cards.ts';
import { CLIP_ORDERS } from '../lookups/choices.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { channelRecordings } from '../lookups/recordings.ts';
import type { SlashCommand } from '../command.ts';

/** `/clips`: clips of a channel. */
export function clipsCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = channelRecordings(lookups, {
    operation: 'getUserClips',
    orders: CLIP_ORDERS,
    defaultOrder: 'TIME',
    read: (bot, user, { sort, cursor, signal }) => bot.getUserClips(user, { sort, cursor, signal }),
    heading: ({ clipsOf }) => clipsOf,
    none: ({ noChannelClips }) => noChannelClips,
    card: clipCard,
  });
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.clips, views });
}
