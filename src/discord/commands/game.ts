import { clipCard, videoCard } from '../cards/recording-cards.ts';
import { streamCard } from '../cards/stream-card.ts';
import { accountsFor, choicesFor } from '../lookups/accounts.ts';
import { gameField, languageField, sortField, tagsField } from '../lookups/fields.ts';
import { filtersIn } from '../lookups/filters.ts';
import { eachAs, listView } from '../lookups/list-view.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { chosen, CLIP_ORDERS, spoken, STREAM_ORDERS, VIDEO_ORDERS } from '../lookups/orders.ts';
import { readGameStreams } from '../lookups/streams.ts';
import { bold } from '../lookups/typed.ts';
import type { View } from '../lookups/view.ts';
import { escaped } from '../text/foreign-text.ts';
import type { SlashCommand } from './command.ts';

/** `/game`: who streams a game, and the clips and videos of it. */
export function gameCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = [...streams(lookups), ...clips(lookups), ...videos(lookups)];
  return lookupCommand({ ...lookups, title: (words) => words.lookups.game, views });
}

function streams(shared: Lookups): readonly View[] {
  const accounts = accountsFor(shared.streaming, 'getGameStreams');
  return listView({
    title: (words) => words.lookups.gameStreams,
    accounts,
    fields: [gameField(shared), ...sortField(choicesFor(STREAM_ORDERS, accounts, 'getGameStreams', 'sort')), languageField, tagsField],
    pager: shared.pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { game = '' } = given;
      const { spoken: narrowed, ...filters } = filtersIn(given, asker);
      const sort = chosen(STREAM_ORDERS, given['sort'], 'VIEWER_COUNT');
      return {
        read: (cursor) => readGameStreams(client, { game, sort, ...filters, signal: asker.signal }, cursor),
        heading: ({ game: played }) => lookups.streamsOf(bold(played?.name ?? game), on, narrowed, sort),
        none: lookups.nobodyStreams(bold(game) + narrowed),
        missing: lookups.noGame(escaped(game, 100)),
        cards: eachAs(streamCard),
      };
    },
  });
}

function clips(shared: Lookups): readonly View[] {
  const accounts = accountsFor(shared.streaming, 'getGameClips');
  return listView({
    title: (words) => words.lookups.gameClips,
    accounts,
    fields: [gameField(shared), ...sortField(choicesFor(CLIP_ORDERS, accounts, 'getGameClips', 'sort')), languageField],
    pager: shared.pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { game = '' } = given;
      const { spoken: narrowed, language } = filtersIn(given, asker);
      const sort = chosen(CLIP_ORDERS, given['sort'], 'ALL_TIME');
      return {
        read: (cursor) => client.getGameClips(game, { sort, ...(language && { languages: [language] }), cursor, signal: asker.signal }),
        heading: () => lookups.clipsOf(bold(game), on, narrowed, spoken(CLIP_ORDERS, sort, asker.words)),
        none: lookups.noClips(bold(game)),
        missing: lookups.noGame(escaped(game, 100)),
        cards: eachAs(clipCard),
      };
    },
  });
}

function videos(shared: Lookups): readonly View[] {
  const accounts = accountsFor(shared.streaming, 'getGameVideos');
  return listView({
    title: (words) => words.lookups.gameVideos,
    accounts,
    fields: [gameField(shared), ...sortField(choicesFor(VIDEO_ORDERS, accounts, 'getGameVideos', 'sort')), languageField],
    pager: shared.pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { game = '' } = given;
      const { spoken: narrowed, language } = filtersIn(given, asker);
      const sort = chosen(VIDEO_ORDERS, given['sort'], 'VIEWS');
      return {
        read: (cursor) => client.getGameVideos(game, { sort, ...(language && { languages: [language] }), cursor, signal: asker.signal }),
        heading: () => lookups.videosOf(bold(game), on, narrowed, spoken(VIDEO_ORDERS, sort, asker.words)),
        none: lookups.noGameVideos(bold(game)),
        missing: lookups.noGame(escaped(game, 100)),
        cards: eachAs(videoCard),
      };
    },
  });
}
