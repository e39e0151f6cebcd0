import type { APIEmbed } from 'discord.js';
import type { Stream } from '#src/streaming/records.ts';
import { escaped } from '../text/foreign-text.ts';
import { authorOf, COLORS, factsOf, linked, pictureOf, type CardSize, type Reader } from './card.ts';
import { figure, instant } from './figures.ts';

const MOST_TAGS = 5;

/** A stream as it is now. */
export function streamCard(stream: Stream, reader: Reader, size: CardSize): APIEmbed {
  const { owner, title, url, game, viewerCount, startedAt, thumbnailUrl, tags, mature } = stream;
  const { cards } = reader.words.lookups;
  const facts = factsOf(
    cards.watching(figure(viewerCount, reader), viewerCount),
    game && escaped(game.name, 100),
    cards.since(instant(startedAt)),
    mature === true ? cards.adults : undefined,
  );
  const labels = tags.slice(0, MOST_TAGS).flatMap((tag) => escaped(tag, 40) || []);
  return {
    color: COLORS.streaming,
    author: authorOf(owner),
    title: escaped(title, 256) || cards.untitled,
    ...linked(url),
    description: labels.length === 0 ? facts : `${facts}\n-# ${labels.join(' · ')}`,
    ...pictureOf(thumbnailUrl, size),
  };
}
