import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { postCard } from '#src/discord/cards/social-cards.ts';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { playingTime } from '#src/discord/text/format.ts';
import type { Post } from '#src/clients/social/records/post.ts';

const reader = { texts: en, locale: 'en-US' };
const at = new Date('2026-11-20T18:00:00Z');

const post: Post = {
  platform: 'demo',
  id: '1',
  url: 'https://social.example/posts/1',
  author: { platform: 'demo', id: '2', handle: 'ada', displayName: 'Ada' },
  text: 'Hello',
  entities: [],
  createdAt: at,
  media: [],
  visibility: 'public',
  replyAudience: 'everyone',
  counts: { likes: 0, reposts: 0, replies: 0, quotes: 0 },
  fetchedAt: at,
};
const image = { id: 'a', kind: 'image', url: 'https://social.example/a.png', altText: 'A cat', state: 'ready' } as const;
const video = {
  id: 'b',
  kind: 'video',
  url: 'https://social.example/b.mp4',
  previewUrl: 'https://social.example/b.png',
  state: 'ready',
} as const;

test.for([
  [30_000, '0:30'],
  [59_600, '1:00'],
  [754_000, '12:34'],
  [3_600_000, '1:00:00'],
  [90_061_000, '25:01:01'],
] as const)('a length of %i ms reads %s', ([ms, text]) => {
  expect(playingTime(ms)).toBe(text);
});

test('sensitive pictures and their alt texts are not shown', () => {
  fc.assert(
    fc.property(fc.constantFrom('small', 'large'), fc.subarray([image, video], { minLength: 1 }), (size, media) => {
      const card = postCard({ ...post, media, sensitive: true }, reader, size);

      expect(JSON.stringify(card)).not.toMatch(/\.png|\.mp4|A cat/u);
      expect(card.description).toContain('marked as sensitive');
    }),
  );
});

test.for([
  ['The finale', 'The finale\n\nAda wins || and\nGrace loses', '⚠️ **The finale**\n||Ada wins \\|\\| and\nGrace loses||'],
  ['The finale', 'The finale', '⚠️ **The finale**'],
  // The labels of Bluesky name the media, and the text stays.
  ['Nudity', 'Our new poster', 'Our new poster'],
] as const)('the text behind the content warning %s is a spoiler', ([warning, text, shown]) => {
  const { description = '' } = postCard({ ...post, text, warning }, reader, 'small');

  expect(description.split('\n-# ')[0]).toBe(shown);
});

test('the text of a quoted post behind a content warning is a spoiler', () => {
  const quoted = { postId: '7', state: 'accepted', warning: 'The finale', text: 'The finale\n\nAda wins' } as const;

  expect(postCard({ ...post, quoted }, reader, 'small').description).toContain('> ⚠️ **The finale** ||Ada wins||\n');
  expect(postCard({ ...post, quoted: { ...quoted, text: 'The finale' } }, reader, 'small').description).toContain('> ⚠️ **The finale**\n');
});

test('a long text behind a content warning stays a spoiler to its end', () => {
  const text = `The finale\n\n${'Ada wins. '.repeat(900)}`;

  for (const size of ['small', 'large'] as const) {
    const { description = '' } = postCard({ ...post, text, warning: 'The finale' }, reader, size);
    expect(description.split('\n-# ')[0]).toMatch(/^⚠️ \*\*The finale\*\*\n\|\|(?:Ada wins\. )+[^|]*…\|\|$/u);
  }
});

test('a video shows its preview, and other media are named', () => {
  const card = postCard({ ...post, media: [video, image] }, reader, 'large');

  expect(card.image?.url).toBe('https://social.example/b.png');
  expect(card.description).toContain('-# video · + picture');
});

test('a poll shows the shares of its answers and its end, in the language of the reader', () => {
  const poll = {
    options: [
      { index: 0, label: 'Chess', votes: 3 },
      { index: 1, label: 'Go', votes: 1 },
    ],
    totalVotes: 4,
    endsAt: at,
    closed: false,
    multiple: false,
  };

  expect(postCard({ ...post, poll }, reader, 'small').description).toContain(
    '▸ Chess **75%**\n▸ Go **25%**\n-# 4 votes · ends <t:1795197600:R>',
  );
  expect(postCard({ ...post, poll: { ...poll, closed: true } }, { texts: de, locale: 'de' }, 'small').description).toMatch(
    /▸ Chess \*\*75\s%\*\*\n▸ Go \*\*25\s%\*\*\n-# 4 Stimmen · beendet/u,
  );
});

test('a hidden quote has a placeholder', () => {
  const quoted = { postId: '9', state: 'blocked', text: 'secret' } as const;

  expect(postCard({ ...post, quoted }, reader, 'small').description).toContain('> Unavailable post');
});
