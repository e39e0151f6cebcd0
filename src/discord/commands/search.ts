import type { APIEmbed } from 'discord.js';
import type { Game, Stream, User, Video } from '#src/clients/streaming/records.ts';
import type { Reader } from '#src/discord/caller.ts';
import type { CardSize } from '#src/discord/cards/card.ts';
import { channelCard } from '#src/discord/cards/people-cards.ts';
import { gameCard, streamCard, videoCard } from '#src/discord/cards/streaming-cards.ts';
import { accountsFor, supports } from '#src/discord/lookups/accounts.ts';
import { chosen, nameOfChoice, SEARCH_KINDS } from '#src/discord/lookups/choices.ts';
import { choicesFor } from '#src/discord/lookups/fields.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import { cardPerItem, listView } from '#src/discord/lookups/view.ts';
import { bold } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

/** `/search`: streams, channels, games or videos of a streaming platform. */
export function searchCommand(lookups: Lookups): readonly SlashCommand[] {
  const accounts = accountsFor(lookups.streaming, 'search');
  const views = listView({
    accounts,
    isSearch: () => true,
    fields: [
      { title: (texts) => texts.lookups.options.keyword, required: true },
      { title: (texts) => texts.lookups.options.kind, choices: choicesFor(SEARCH_KINDS, accounts, 'search', 'filter') },
    ],
    pager: lookups.pager,
    list({ client, on, values, caller }) {
      const { texts, signal } = caller;
      const { keyword = '' } = values;
      const kind = chosen(SEARCH_KINDS, values['for'], 'SearchStreams');
      return {
        read: (cursor) => client.search(keyword, { filter: kind, cursor, signal }),
        heading: () => texts.lookups.found(nameOfChoice(SEARCH_KINDS, kind, texts), bold(keyword), on),
        none: texts.lookups.nothingFound(bold(keyword)),
        // Some platforms find videos only by the exact name of a game.
        unsupported: kind === 'SearchVideos' && supports(client, 'search', 'filter', kind) ? texts.lookups.videosByGame : undefined,
        cards: cardPerItem(resultCard),
      };
    },
  });
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.search, views });
}

/** The fields of a record tell its kind. */
function resultCard(result: Stream | User | Game | Video, reader: Reader, size: CardSize): APIEmbed {
  if ('startedAt' in result) return streamCard(result, reader, size);
  if ('handle' in result) return channelCard(result, reader, size);
  if ('durationMs' in result) return videoCard(result, reader, size);
  return gameCard(result, reader);
}
