import type { APIEmbed } from 'discord.js';
import type { Game } from '#src/streaming/records.ts';
import { escaped } from '../text/foreign-text.ts';
import { COLORS, factsOf, linked, pictureOf, type Reader } from './card.ts';
import { figure } from './figures.ts';

/** A game, with what is known of who watches it. */
export function gameCard({ name, url, boxArtUrl, viewerCount, liveChannelCount }: Game, reader: Reader): APIEmbed {
  const { cards } = reader.words.lookups;
  const facts = factsOf(
    viewerCount === undefined ? undefined : cards.watching(figure(viewerCount, reader), viewerCount),
    liveChannelCount === undefined ? undefined : cards.channels(figure(liveChannelCount, reader), liveChannelCount),
  );
  return {
    color: COLORS.streaming,
    title: escaped(name, 256) || cards.untitled,
    ...linked(url),
    ...(facts !== '' && { description: facts }),
    // Box art stands upright: it is a small picture wherever it is.
    ...pictureOf(boxArtUrl, 'small'),
  };
}
