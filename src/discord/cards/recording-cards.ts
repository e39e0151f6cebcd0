import type { APIEmbed } from 'discord.js';
import type { Clip, Video } from '#src/streaming/records.ts';
import { escaped } from '../text/foreign-text.ts';
import { authorOf, COLORS, factsOf, linked, pictureOf, type CardSize, type Reader } from './card.ts';
import { figure, instant, playingTime } from './figures.ts';

/** A video of a channel. */
export function videoCard(video: Video, reader: Reader, size: CardSize): APIEmbed {
  const { owner, title, url, game, kind, durationMs, viewCount, createdAt, publishedAt, thumbnailUrl } = video;
  const { cards } = reader.words.lookups;
  return {
    color: COLORS.streaming,
    author: authorOf(owner),
    title: escaped(title, 256) || cards.untitled,
    ...linked(url),
    description: factsOf(
      `${cards.kinds[kind]} · **${playingTime(durationMs)}**`,
      cards.views(figure(viewCount, reader), viewCount),
      game && escaped(game.name, 100),
      instant(publishedAt ?? createdAt),
    ),
    ...pictureOf(thumbnailUrl, size),
  };
}

/** A clip from a channel. */
export function clipCard(clip: Clip, reader: Reader, size: CardSize): APIEmbed {
  const { owner, creator, title, url, durationMs, viewCount, createdAt, thumbnailUrl } = clip;
  const { cards } = reader.words.lookups;
  return {
    color: COLORS.streaming,
    author: authorOf(owner),
    title: escaped(title, 256) || cards.untitled,
    ...linked(url),
    description: factsOf(
      `**${playingTime(durationMs)}**`,
      cards.views(figure(viewCount, reader), viewCount),
      creator && cards.cutBy(escaped(creator.displayName, 100) || escaped(creator.handle, 100)),
      instant(createdAt),
    ),
    ...pictureOf(thumbnailUrl, size),
  };
}
