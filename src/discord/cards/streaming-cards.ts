import type { APIEmbed } from 'discord.js';
import type { Clip, Game, Stream, Video } from '#src/clients/streaming/records.ts';
import { figure, instant, playingTime } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import type { Reader } from '#src/discord/caller.ts';
import { authorOf, type CardSize, COLORS, factsOf, linked, pictureOf } from './card.ts';

const MOST_TAGS = 5;

/** A live stream. */
export function streamCard(stream: Stream, reader: Reader, size: CardSize): APIEmbed {
  const { owner, title, url, game, viewerCount, startedAt, thumbnailUrl, tags, mature } = stream;
  const { cards } = reader.texts.lookups;
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

/** A game with its viewers and live channels. */
export function gameCard({ name, url, boxArtUrl, viewerCount, liveChannelCount }: Game, reader: Reader): APIEmbed {
  const { cards } = reader.texts.lookups;
  const facts = factsOf(
    viewerCount === undefined ? undefined : cards.watching(figure(viewerCount, reader), viewerCount),
    liveChannelCount === undefined ? undefined : cards.channels(figure(liveChannelCount, reader), liveChannelCount),
  );
  return {
    color: COLORS.streaming,
    title: escaped(name, 256) || cards.untitled,
    ...linked(url),
    ...(facts !== '' && { description: facts }),
    // Box art is upright, so it is small in every card.
    ...pictureOf(boxArtUrl, 'small'),
  };
}

export function videoCard(video: Video, reader: Reader, size: CardSize): APIEmbed {
  const { owner, title, url, game, kind, durationMs, viewCount, createdAt, publishedAt, thumbnailUrl } = video;
  const { cards } = reader.texts.lookups;
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

export function clipCard(clip: Clip, reader: Reader, size: CardSize): APIEmbed {
  const { owner, creator, title, url, durationMs, viewCount, createdAt, thumbnailUrl } = clip;
  const { cards } = reader.texts.lookups;
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
