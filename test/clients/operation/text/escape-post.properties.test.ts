import { expect, test } from 'vitest';
import { escapePost } from '#src/clients/operation/text/escape-post.ts';
import { runsOf } from '#src/clients/operation/text/links.ts';
import { fc, runs } from '../../../support/property.ts';
import { mentionsOnPlatforms, NO_MENTIONS } from './mentions-on-platforms.ts';

const BEFORE = [
  '',
  '',
  ' ',
  '(',
  '[',
  'x',
  'x.',
  'ok.com/',
  'ok.com?',
  '"',
  '«',
  '/',
  '@',
  '#',
  '$',
  '.',
  '-',
  '_',
  '：',
  '日',
  'é',
  '\u200B',
  '\uFEFF',
];
const SCHEMES = ['https://', 'https://', 'http://', 'HTTPS://', '', '//', 'ftp://', 'ttps://'];
const HOSTS = ['ok.com', 'twitch.tv', 'a.b.co', 't.co', 'localhost', '127.0.0.1', '[::1]'];
const PARTS_OF_HOSTS = [
  'a',
  '-',
  '_',
  '.',
  '.com',
  '.co',
  '.tv',
  '.zzz',
  '1',
  'ü',
  '日',
  'K',
  'ſ',
  'xn--a',
  'a'.repeat(63),
  'user:pw@',
  ':80',
];
const AFTER_HOST = ['/', '/', '', '?', '#', ':80/', ':'];
const PARTS_OF_PATHS = [
  ...Array.from(`/?.~!;',*=()[]#$%&+-_:|–"\`^{}<>\\ @…：éя日👍`),
  '@ada',
  '@ada',
  '＠ada',
  '﹫ada',
  '@@',
  '@ada.bsky.social',
  '@ada@ok.social',
  '#tag',
  '$CASH',
  'x',
  '%2F',
  '/x.?',
  '~?/@',
  '\u200B',
  '\u200D',
  '\u2060',
  '\u0301',
  '\u202E',
  '\uFEFF',
  'שלום',
  'a'.repeat(30),
  'https://ok.com/',
  'ok.com/',
  't.co/',
];

function joined(parts: readonly string[], maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...parts), { maxLength }).map((pieces) => pieces.join(''));
}

/** A link, its neighbors and everything that looks like one. */
const LINKS = fc
  .tuple(
    joined(BEFORE, 2),
    fc.constantFrom(...SCHEMES),
    fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...HOSTS) }, joined(PARTS_OF_HOSTS, 5)),
    fc.constantFrom(...AFTER_HOST),
    joined(PARTS_OF_PATHS, 10),
  )
  .map((pieces) => pieces.join(''));
const TEXTS = fc.oneof(
  { weight: 3, arbitrary: LINKS },
  fc.array(LINKS, { minLength: 2, maxLength: 3 }).map((links) => links.join('')),
);
/** A text before without @, after which the author of the rule wants a mention. */
const CONTEXTS = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  joined([...BEFORE.filter((one) => one !== '@'), 'Live', 'https://', ...HOSTS, '/'], 4),
);

const DEEP_MS = 15 * 60_000;

test(
  'links and similar texts mention no one on X, Mastodon or Bluesky',
  () => {
    fc.assert(
      fc.property(TEXTS, CONTEXTS, (text, before) => {
        expect(mentionsOnPlatforms(before + escapePost(text, before))).toEqual(NO_MENTIONS);
      }),
      { numRuns: runs(1000, 100_000) },
    );
  },
  DEEP_MS,
);

test(
  'escaping keeps all links',
  () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(linksIn(escapePost(text))).toEqual(linksIn(text));
      }),
      { numRuns: runs(500, 40_000) },
    );
  },
  DEEP_MS,
);

/** The links in a text, with decoded characters. */
function linksIn(text: string): readonly string[] {
  return runsOf(text).flatMap(({ text: run, link }) => (link ? [decodeSigns(run)] : []));
}

function decodeSigns(link: string): string {
  return link.replaceAll('%40', '@').replaceAll('%EF%BC%A0', '＠').replaceAll('\u2060', '');
}
