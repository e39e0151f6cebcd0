import type { APIEmbed } from 'discord.js';
import type { Game, Stream, User, Video } from '#src/streaming/records.ts';
import type { CardSize, Reader } from '../cards/card.ts';
import { gameCard } from '../cards/game-card.ts';
import { channelCard } from '../cards/people-cards.ts';
import { videoCard } from '../cards/recording-cards.ts';
import { streamCard } from '../cards/stream-card.ts';
import { accountsFor, choicesFor } from '../lookups/accounts.ts';
import { eachAs, listView } from '../lookups/list-view.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { chosen, SEARCH_KINDS } from '../lookups/orders.ts';
import { bold } from '../lookups/typed.ts';
import type { View } from '../lookups/view.ts';
import type { SlashCommand } from './command.ts';

/** `/search`: what a streaming platform has for a word. */
export function searchCommand(lookups: Lookups): readonly SlashCommand[] {
  return lookupCommand({ ...lookups, title: (words) => words.lookups.search, views: search(lookups) });
}

function search({ streaming, pager }: Lookups): readonly View[] {
  const accounts = accountsFor(streaming, 'search');
  return listView({
    accounts,
    fields: [
      { title: (words) => words.lookups.options.keyword, required: true },
      { title: (words) => words.lookups.options.kind, choices: choicesFor(SEARCH_KINDS, accounts, 'search', 'filter') },
    ],
    pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { keyword = '' } = given;
      const kind = chosen(SEARCH_KINDS, given['for'], 'SearchStreams');
      const isHere = accountsFor(new Map([['', client]]), 'search', 'filter', kind).size > 0;
      return {
        read: (cursor) => client.search(keyword, { filter: kind, cursor, signal: asker.signal }),
        heading: () => lookups.found(SEARCH_KINDS.find(({ value }) => value === kind)?.name(asker.words) ?? '', bold(keyword), on),
        none: lookups.nothingFound(bold(keyword)),
        // A platform that has videos and refuses them finds them by their game alone.
        unsupported: kind === 'SearchVideos' && isHere ? lookups.videosByGame : undefined,
        cards: eachAs(foundCard),
      };
    },
  });
}

/** Records tell by their fields what they are. */
function foundCard(found: Stream | User | Game | Video, reader: Reader, size: CardSize): APIEmbed {
  if ('startedAt' in found) return streamCard(found, reader, size);
  if ('handle' in found) return channelCard(found, reader, size);
  if ('durationMs' in found) return videoCard(found, reader, size);
  return gameCard(found, reader);
}
