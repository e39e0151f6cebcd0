import { clipCard, streamCard, videoCard } from '#src/discord/cards/streaming-cards.ts';
import { accountsFor } from '#src/discord/lookups/accounts.ts';
import { chosen, CLIP_ORDERS, STREAM_ORDERS, VIDEO_ORDERS } from '#src/discord/lookups/choices.ts';
import { sortField } from '#src/discord/lookups/fields.ts';
import { filtersIn, languageField, tagsField } from '#src/discord/lookups/filters.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import { gameField, gameRecordings } from '#src/discord/lookups/recordings.ts';
import { readGameStreams } from '#src/discord/lookups/streams.ts';
import { cardPerItem, listView, type View } from '#src/discord/lookups/view.ts';
import { bold, escaped } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

/** `/game`: streams, clips and videos of a game. */
export function gameCommand(lookups: Lookups): readonly SlashCommand[] {
  const clips = gameRecordings(lookups, {
    title: (texts) => texts.lookups.gameClips,
    operation: 'getGameClips',
    orders: CLIP_ORDERS,
    defaultOrder: 'ALL_TIME',
    read: (bot, game, options) => bot.getGameClips(game, options),
    heading: ({ clipsOf }) => clipsOf,
    none: ({ noClips }) => noClips,
    card: clipCard,
  });
  const videos = gameRecordings(lookups, {
    title: (texts) => texts.lookups.gameVideos,
    operation: 'getGameVideos',
    orders: VIDEO_ORDERS,
    defaultOrder: 'VIEWS',
    read: (bot, game, options) => bot.getGameVideos(game, options),
    heading: ({ videosOf }) => videosOf,
    none: ({ noGameVideos }) => noGameVideos,
    card: videoCard,
  });
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.game, views: [...streams(lookups), ...clips, ...videos] });
}

function streams(lookups: Lookups): readonly View[] {
  const accounts = accountsFor(lookups.streaming, 'getGameStreams');
  return listView({
    title: (texts) => texts.lookups.gameStreams,
    accounts,
    fields: [gameField(lookups), ...sortField(STREAM_ORDERS, accounts, 'getGameStreams'), languageField, tagsField],
    pager: lookups.pager,
    list({ client, on, values, caller }) {
      const { lookups: texts } = caller.texts;
      const { game = '' } = values;
      const { label, ...filters } = filtersIn(values, caller);
      const sort = chosen(STREAM_ORDERS, values['sort'], 'VIEWER_COUNT');
      return {
        read: (cursor) => readGameStreams(client, { game, sort, ...filters, signal: caller.signal }, cursor),
        heading: ({ game: played }) => texts.streamsOf(bold(played?.name ?? game), on, label, sort),
        none: texts.nobodyStreams(bold(game) + label),
        missing: texts.noGame(escaped(game, 100), on),
        cards: cardPerItem(streamCard),
      };
    },
  });
}
