import { gameCard } from '../cards/game-card.ts';
import { streamCard } from '../cards/stream-card.ts';
import { accountsFor } from '../lookups/accounts.ts';
import { languageField, tagsField } from '../lookups/fields.ts';
import { filtersIn } from '../lookups/filters.ts';
import { eachAs, listView } from '../lookups/list-view.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { readTopStreams } from '../lookups/streams.ts';
import type { View } from '../lookups/view.ts';
import type { SlashCommand } from './command.ts';

/** `/top`: the streams and the games that are watched most. */
export function topCommand(lookups: Lookups): readonly SlashCommand[] {
  return lookupCommand({ ...lookups, title: (words) => words.lookups.top, views: [...streams(lookups), ...games(lookups)] });
}

function streams({ streaming, pager }: Lookups): readonly View[] {
  return listView({
    title: (words) => words.lookups.topStreams,
    accounts: accountsFor(streaming, 'getTopStreams'),
    fields: [tagsField, languageField],
    pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { spoken, ...filters } = filtersIn(given, asker);
      return {
        read: (cursor) => readTopStreams(client, { ...filters, signal: asker.signal }, cursor),
        heading: () => lookups.mostWatched(on, spoken),
        none: lookups.nobodyLive,
        cards: eachAs(streamCard),
      };
    },
  });
}

function games({ streaming, pager }: Lookups): readonly View[] {
  return listView({
    title: (words) => words.lookups.topGames,
    accounts: accountsFor(streaming, 'getTopGames'),
    fields: [{ title: (words) => words.lookups.options.gameTags }],
    pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { tags, spoken } = filtersIn(given, asker);
      return {
        read: (cursor) => client.getTopGames({ ...(tags.length > 0 && { tags: [...tags] }), cursor, signal: asker.signal }),
        heading: () => lookups.topGamesAre(on, spoken),
        none: lookups.noGames,
        cards: eachAs(gameCard),
      };
    },
  });
}
