import { describe, expect, test } from 'vitest';
import { extractTexts, pageOpenings } from './extract-texts.ts';

/** Wording that the design forbids, because readers have to read such sentences twice. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'a relative clause as a subject':
    /(?:^|[.;:!?] )(?:what|who|whoever|whose|whom|where) (?!to\b|if\b)[a-z ,]{3,60}\b(?:is|are|was|were|has|have|may|can|must|does|do|gets?|says?|comes?|goes|begins)\b(?![^.;:]*\?)/iu,
  'nobody or somebody as an actor':
    /\b(?:nobody|somebody|anybody|everybody) (?:may|can|is|are|has|says?|knows?|asked|did|signed|streams|who|whom)\b/iu,
  'an inversion':
    /\b(?:so says|is said|says so|is told of|made up for|taken up|let out|what became of|whatever else)\b|\b(?:and|but|;|,) (?:so|nor|neither) (?:is|are|does|do|was|has|have|can) (?:a|an|the|it|they|this|that)\b/iu,
  'a vague reflexive':
    /\b(?:for itself|by itself(?! \w)|on its own(?! \w)|of its own|as it is|as they are|the one that|all that|those that it)\b/iu,
  'a person as a mechanism':
    /\b(?:rules?|sandbox(?:es)?|accounts?|platforms?|servers?|steps?|filters?|episodes?|fanfare) (?:speaks?|plays?|says?|tells?|talks?|(?:has|have) (?:a|no|the last) word)\b|\b(?:speaks?|spoke) (?:no|nothing|so|of|it|them)\b|\btells? (?:no|nothing|so|of|them)\b/iu,
  'a thing that stands': /\bstands? (?:there|above|behind|below|beside|between|inside|in|on)\b/iu,
  'a vague verb':
    /\b(?:comes?|came) out (?:as|empty)\b|\bgoes? on as\b|\b(?:it|that|rule) goes on\b|\bits time came\b|\blets (?:in|nothing|through)\b/iu,
  'a dropped noun':
    /\bthere (?:is|are) none(?:;|$)|\bnone is left\b|\b(?:at most|no more than) \S+ (?:are|is) (?:allowed|kept|read|sent)\b/iu,
  'there is no … here': /\bthere is no \S+ here\b|: there (?:is|are) \S+$/iu,
  'a trailing too': /, too[,.;)]|, too$/iu,
  'an old word':
    /\b(?:thereof|thereby|therein|whereof|lest|anew|afresh|is no more|any more|shall|for ever|once and for all)\b|\bto the last$/iu,
  'an example after "as"': /\bas https?:|, as (?:name\.|`[^`]*`(?! (?!or\b|and\b)\w))/u,
  'also for even': /\balso (?:if|when|after|during|without|not)\b/iu,
  'a sign-in as a protection': /\b(?:no|has a|have a|with a|without a|kind of) sign-in\b/iu,
  'an insider name': /\bRecord\d+\b|\bdiscriminator\b/u,
};

/** A dialogue of the simulated assistant, and an example in the instructions of the model. */
const ALLOWED: readonly string[] = ['sandbox/assistant/reply.ts', 'src/assistant-tools/rule-guide.ts'];

describe('texts for people', () => {
  const texts = extractTexts();

  test('are found in every kind of source', () => {
    for (const part of ['src/cli/', 'src/discord/language/de/', 'src/web/page/', 'src/rules/', 'adapters/', 'rules/', 'README.md'])
      expect(texts.filter(({ file }) => file.startsWith(part)).length, part).toBeGreaterThan(20);
  });

  test.for(Object.entries(FORBIDDEN))('have no %s', ([, pattern]) => {
    const found = texts.filter(({ file, text }) => !ALLOWED.includes(file) && pattern.test(text));

    expect(found.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
  });
});

/** A page begins with what it is about, not with what the reader does. */
const READER_FIRST = /^You (?:get|learn|see|find|will)\b/u;

describe('pages', () => {
  test('begin with what they are about', () => {
    const openings = pageOpenings();

    expect(openings.length).toBeGreaterThan(100);
    expect(openings.filter(({ text }) => READER_FIRST.test(text)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  test.for(['You get a card.', 'You learn how it works.', 'You find out why.'])('the pattern finds: %s', (text) => {
    expect(READER_FIRST.test(text)).toBe(true);
  });
});

describe('the patterns', () => {
  test.for([
    ['a relative clause as a subject', 'What opens an account is a sign-in.'],
    ['a relative clause as a subject', 'Where it is not at home, no one can use it.'],
    ['nobody or somebody as an actor', 'There, nobody may do it.'],
    ['an inversion', 'It is not sent, and the log says so.'],
    ['a vague reflexive', 'Rules are loaded, each for itself.'],
    ['a vague reflexive', 'The fuse of its own blew.'],
    ['there is no … here', 'there is no e here'],
    ['a trailing too', 'Titles are searched, too.'],
    ['an insider name', 'list of Record6'],
    ['nobody or somebody as an actor', 'Nobody whom the rule names is pinged.'],
    ['an inversion', 'A post is data, and so is the text of a reply.'],
    ['a vague reflexive', 'The draft cannot be approved as it is.'],
    ['a vague reflexive', 'The rule starts by itself.'],
    ['a person as a mechanism', 'A path that the platform says must begin with https://.'],
    ['a person as a mechanism', 'The sandbox plays a stream.'],
    ['a person as a mechanism', 'The account has no word in it.'],
    ['a thing that stands', 'lists stand inside each other too often'],
    ['a vague verb', 'text comes out empty: item.title'],
    ['a vague verb', 'its time came'],
    ['a dropped noun', '31 firings, no more than 30 are allowed'],
    ['an old word', 'answers once and for all'],
    ['an example after "as"', 'The server, as https://mastodon.social.'],
    ['an example after "as"', 'The language, as `de` or `en`.'],
    ['also for even', 'It is one episode, also if it is interrupted.'],
    ['a sign-in as a protection', 'The endpoint has no sign-in.'],
  ] as const)('%s: %s', ([name, text]) => {
    expect(FORBIDDEN[name]?.test(text)).toBe(true);
  });
});
