import { videoCard } from '#src/discord/cards/streaming-cards.ts';
import { VIDEO_ORDERS } from '#src/discord/lookups/choices.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import { channelRecordings } from '#src/discord/lookups/recordings.ts';
import type { SlashCommand } from '#src/discord/command.ts';

/** `/videos`: videos of a channel. */
export function videosCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = channelRecordings(lookups, {
    operation: 'getUserVideos',
    orders: VIDEO_ORDERS,
    defaultOrder: 'TIME',
    read: (bot, user, { sort, cursor, signal }) => bot.getUserVideos(user, { sort, cursor, signal }),
    heading: ({ videosOf }) => videosOf,
    none: ({ noVideos }) => noVideos,
    card: videoCard,
  });
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.videos, views });
}
