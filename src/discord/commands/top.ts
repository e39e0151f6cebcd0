import { gameCard, streamCard } from '#src/discord/cards/streaming-cards.ts';
import { accountsFor } from '#src/discord/lookups/accounts.ts';
import { filtersIn, languageField, tagsField } from '#src/discord/lookups/filters.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import { readTopStreams } from '#src/discord/lookups/streams.ts';
import { cardPerItem, listView, type View } from '#src/discord/lookups/view.ts';
import type { SlashCommand } from '#src/discord/command.ts';

/** `/top`: the streams and the games with the most viewers. */
export function topCommand(lookups: Lookups): readonly SlashCommand[] {
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.top, views: [...streams(lookups), ...games(lookups)] });
}

function streams({ streaming, pager }: Lookups): readonly View[] {
  return listView({
    title: (texts) => texts.lookups.topStreams,
    accounts: accountsFor(streaming, 'getTopStreams'),
    isSearch: () => true,
    fields: [tagsField, languageField],
    pager,
    list({ client, on, values, caller }) {
      const { lookups } = caller.texts;
      const { label, ...filters } = filtersIn(values, caller);
      return {
        read: (cursor) => readTopStreams(client, { ...filters, signal: caller.signal }, cursor),
        heading: () => lookups.mostWatched(on, label),
        none: lookups.nobodyLive,
        cards: cardPerItem(streamCard),
      };
    },
  });
}

function games({ streaming, pager }: Lookups): readonly View[] {
  return listView({
    title: (texts) => texts.lookups.topGames,
    accounts: accountsFor(streaming, 'getTopGames'),
    fields: [{ title: (texts) => texts.lookups.options.gameTags }],
    pager,
    list({ client, on, values, caller }) {
      const { lookups } = caller.texts;
      const { tags, label } = filtersIn(values, caller);
      return {
        read: (cursor) => client.getTopGames({ ...(tags.length > 0 && { tags: [...tags] }), cursor, signal: caller.signal }),
        heading: () => lookups.topGamesAre(on, label),
        none: lookups.noGames,
        cards: cardPerItem(gameCard),
      };
    },
  });
}
