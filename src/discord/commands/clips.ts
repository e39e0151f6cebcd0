import { clipCard } from '#src/discord/cards/streaming-cards.ts';
import { CLIP_ORDERS } from '#src/discord/lookups/choices.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import { channelRecordings } from '#src/discord/lookups/recordings.ts';
import type { SlashCommand } from '#src/discord/command.ts';

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
