import type { APIEmbed } from 'discord.js';
import type { Stream } from '#src/streaming/records.ts';
import { escaped, oneLine } from './foreign-text.ts';

const COLOR = 0x9146ff;
const viewers = new Intl.NumberFormat('en', { notation: 'compact' });

export interface CardOptions {
  /** A large picture below, or a small one beside the text. */
  readonly picture: 'large' | 'small';
}

/** A card that shows a stream as it is now. */
export function streamCard(stream: Stream, { picture }: CardOptions): APIEmbed {
  const { owner, title, url, game, viewerCount, startedAt, thumbnailUrl } = stream;
  const facts = [
    `**${viewers.format(viewerCount)}** watching`,
    ...(game ? [escaped(game.name, 100)] : []),
    `since <t:${Math.floor(startedAt.getTime() / 1000)}:R>`,
  ];
  const image = thumbnailUrl === undefined ? {} : { [picture === 'large' ? 'image' : 'thumbnail']: { url: thumbnailUrl } };
  return {
    color: COLOR,
    author: { name: oneLine(owner.displayName, 100) || owner.handle, ...(owner.url !== undefined && { url: owner.url }) },
    title: escaped(title, 256) || 'Untitled',
    ...(url !== undefined && { url }),
    description: facts.join(' · '),
    ...image,
  };
}
