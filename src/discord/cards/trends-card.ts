import type { APIEmbed } from 'discord.js';
import type { Trends } from '#src/social/records/gathering.ts';
import { escaped } from '../text/foreign-text.ts';
import { COLORS, factsOf, linkTo, type Reader } from './card.ts';
import { figure } from './figures.ts';

/** What is talked about, on one card: a line each, of at most ten. */
export function trendsCard(trends: readonly Trends[], reader: Reader): APIEmbed {
  const { cards } = reader.words.lookups;
  const lines = trends.map(({ rank, name, url, kind, postCount, category }) => {
    const shown = escaped(kind === 'hashtag' && !name.startsWith('#') ? `#${name}` : name, 100) || cards.untitled;
    const facts = factsOf(
      postCount === undefined ? undefined : cards.posts(figure(postCount, reader), postCount),
      category === undefined ? undefined : escaped(category, 50),
    );
    return factsOf(`**${rank}\\.** ${linkTo(url, shown, 200)}`, facts);
  });
  return { color: COLORS.social, description: lines.join('\n') };
}
