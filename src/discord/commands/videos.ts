import { videoCard } from '../cards/streaming-cards.ts';
import { VIDEO_ORDERS } from '../lookups/choices.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { channelRecordings } from '../lookups/recordings.ts';
import type { SlashCommand } from '../command.ts';

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
