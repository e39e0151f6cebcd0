import type { APIEmbed } from 'discord.js';
import { fc } from '../../support/property.ts';
import { describe, expect, test } from 'vitest';
import { Embeds } from '#sandbox/discord/messages/parts.ts';
import { type Card, ROOM } from '#src/discord/cards/card.ts';
import { type Reader } from '#src/discord/caller.ts';
import { channelCard, personCard } from '#src/discord/cards/people-cards.ts';
import { postCard, trendsCard } from '#src/discord/cards/social-cards.ts';
import { clipCard, gameCard, streamCard, videoCard } from '#src/discord/cards/streaming-cards.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { anyChannel, anyClip, anyGame, anyPerson, anyPost, anyStream, anyTrends, anyVideo } from './records.ts';

const reader: fc.Arbitrary<Reader> = fc.constantFrom(
  { texts: en, locale: 'en-US' },
  { texts: de, locale: 'de' },
  { texts: en, locale: 'ar' },
  { texts: en, locale: 'hi' },
);

function cardsOf<T>(card: Card<T>, record: fc.Arbitrary<T>): fc.Arbitrary<readonly APIEmbed[]> {
  return fc
    .tuple(fc.array(record, { minLength: 1, maxLength: 5 }), reader)
    .map(([records, who]) =>
      records.length === 1
        ? [records[0]].flatMap((one) => (one ? card(one, who, 'large') : []))
        : records.map((one) => card(one, who, 'small')),
    );
}

const answers: Readonly<Record<string, fc.Arbitrary<readonly APIEmbed[]>>> = {
  streams: cardsOf(streamCard, anyStream),
  games: cardsOf(gameCard, anyGame),
  videos: cardsOf(videoCard, anyVideo),
  clips: cardsOf(clipCard, anyClip),
  channels: cardsOf(channelCard, anyChannel),
  people: cardsOf(personCard, anyPerson),
  posts: cardsOf(postCard, anyPost),
  trends: fc.tuple(anyTrends, reader).map(([trends, who]) => [trendsCard(trends, who)]),
};

/** The texts in which Discord renders Markdown. */
function markdownOf({ title, description }: APIEmbed): readonly string[] {
  return [title, description].filter((text) => text !== undefined);
}

interface Acting {
  /** Links whose text is not their address. */
  readonly links: readonly { readonly text: string; readonly url: string }[];
  /** The text without bare addresses, and with an x for each escaped character. */
  readonly rest: string;
}

const OURS = /\[([^\][]*)\]\((https?:\/\/[^\s()]+)\)/gu;

/** The links in a text, and the rest of its Markdown. */
function actingIn(markdown: string): Acting {
  const text = markdown.replaceAll(/\\./gsu, 'x');
  const links = [...text.matchAll(OURS)].map(([, shown = '', url = '']) => ({ text: shown, url }));
  return { links, rest: text.replaceAll(OURS, '').replaceAll(/https?:\/\/[^\s<>]+/gu, '') };
}

/** The links that we make: to the post, to the website by its host, and from a trend to its page. */
function isOurs(kind: string, { text, url }: Acting['links'][number]): boolean {
  if (kind === 'posts') return ['open', 'öffnen'].includes(text);
  if (kind === 'people') return text === new URL(url).hostname.replaceAll(/[.:-]/gu, 'x');
  return kind === 'trends';
}

describe.for(Object.entries(answers))('cards of %s with hostile records', ([kind, answer]) => {
  test('are valid for Discord: lengths, sizes and addresses', () => {
    fc.assert(
      fc.property(answer, (embeds) => {
        expect(Embeds.safeParse(embeds).error).toBeUndefined();
        expect(embeds.filter(({ title, description, image, thumbnail }) => !title && !description && !image && !thumbnail)).toEqual([]);
      }),
    );
  });

  test('fit five times into a message', () => {
    fc.assert(
      fc.property(answer, (embeds) => {
        if (embeds.length === 1) return;
        for (const { title = '', description = '', author } of embeds) {
          expect(title.length + description.length + (author?.name.length ?? 0)).toBeLessThanOrEqual(ROOM.small);
        }
      }),
    );
  });

  test('have no mention, no hidden link and no foreign markup', () => {
    fc.assert(
      fc.property(answer, (embeds) => {
        for (const { links, rest } of embeds.flatMap(markdownOf).map(actingIn)) {
          expect(links.filter((link) => !isOurs(kind, link))).toEqual([]);
          expect(rest).not.toMatch(/<[@#/:a]|@everyone|@here|\]\(|```|\|\||~~|__/u);
          expect(rest.split('\n').filter((line) => /^\s*(?:#{1,3} |[*+-] |\d+\. )/u.test(line))).toEqual([]);
        }
      }),
    );
  });

  test('have no reversed, hidden or stacked characters', () => {
    fc.assert(
      fc.property(answer, (embeds) => {
        for (const text of embeds.flatMap((embed) => [...markdownOf(embed), embed.author?.name ?? ''])) {
          expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\uFEFF]|(?!\n)\p{Cc}/u);
          expect(text.normalize('NFC')).not.toMatch(/\p{M}{4}/u);
          expect(text.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
