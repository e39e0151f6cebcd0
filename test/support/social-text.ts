import { fc } from './property.ts';

const FRAGMENTS = [
  'Ada',
  'live',
  'Now!',
  'e\u0301',
  'Z͑ͫ̓ͪ̂ͫ',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇯🇵',
  '👍🏽',
  '❤️',
  'שלום',
  'مرحبا',
  '日本語',
  'क्षि',
  '\u202E\u2066',
  '\u2060',
  '\uD83D',
  '(see',
  'so)',
] as const;

const LINKS = [
  'https://a.test/1',
  'https://a.test/x_(y)?q=1#z',
  'http://bücher.test/ä',
  'https://a.test/.',
  '(https://a.test/2)',
  'https:///',
  'https://',
  'twitch.tv/ada',
  '(example.org)',
  'example.com.',
  'a.example.com:8080/x?',
] as const;
const MENTIONS = [
  '@ada.test',
  '@grace.bsky.social',
  '(@ada.test)',
  '@ada',
  '@-.test',
  '@ada.test.',
  '@\u2060ada.test',
  'x@ada.test',
] as const;
const TAGS = ['#live', '#日本', '＃live', '#1', '#live!', '#👩‍👩‍👧‍👦', '##x', '#a\u200Bb', '#x_(y).', `#${'x'.repeat(70)}`] as const;

/** Realistic and hostile texts: all scripts, links, mentions, tags, and texts that resemble them. */
export function socialText({ maxWords: maxFragments }: { readonly maxWords: number }): fc.Arbitrary<string> {
  const word = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }) },
    { weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) },
    { weight: 2, arbitrary: fc.constantFrom(...LINKS) },
    { weight: 2, arbitrary: fc.constantFrom(...MENTIONS) },
    { weight: 2, arbitrary: fc.constantFrom(...TAGS) },
  );
  return fc
    .array(fc.tuple(word, fc.constantFrom(' ', ' ', '\n', '')), { maxLength: maxFragments })
    .map((fragments) => fragments.flat().join(''));
}
