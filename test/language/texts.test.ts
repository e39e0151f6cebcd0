import { describe, expect, test } from 'vitest';
import { extractTexts } from './extract-texts.ts';

/** Wording that the design forbids, because readers have to read such sentences twice. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'a relative clause as a subject':
    /(?:^|[.;:!?] )(?:what|who|whoever|whose|whom|where) (?!to\b|if\b)[a-z ,]{3,60}\b(?:is|are|was|were|has|have|may|can|does|do|gets?|says?|comes?|goes)\b(?![^.;:]*\?)/iu,
  'nobody or somebody as an actor':
    /\b(?:nobody|somebody|anybody|everybody) (?:may|can|is|has|says?|knows?|asked|did|signed|streams|who)\b/iu,
  'an inversion': /\b(?:so says|is said|says so|is told of|made up for|taken up|let out|what became of|whatever else)\b/iu,
  'a vague reflexive': /\b(?:for itself|of its own|by itself alone|as they are|the one that|all that|those that it)\b/iu,
  'a person as a mechanism': /\b(?:speaks?|spoke) (?:no|nothing|so|of|it|them)\b|\btells? (?:no|nothing|so|of|them)\b/iu,
  'a preposition that stands alone': /\bstands? (?:there|below|above|beside)\b/iu,
  'there is no … here': /\bthere is no \S+ here\b/iu,
  'a trailing too': /, too[,.;)]|, too$/iu,
  'an old word': /\b(?:thereof|thereby|therein|whereof|lest|anew|afresh|is no more|shall)\b/iu,
  'an insider name': /\bRecord\d+\b|\bdiscriminator\b/u,
};

/** The diagnostics of rules are not part of this lint. */
const NOT_LINTED = /^(?:src\/rules\/(?:check|document|expression|rendering|grammar)\/|src\/rules\/load\.ts|src\/reference\/)/u;
/** A dialogue of the simulated assistant, and an example in the instructions of the model. */
const ALLOWED: readonly string[] = ['sandbox/assistant/reply.ts', 'src/assistant-tools/rule-guide.ts'];

describe('texts for people', () => {
  const texts = extractTexts();

  test('are found in every kind of source', () => {
    for (const part of ['src/cli/', 'src/discord/language/de/', 'src/web/page/', 'src/rules/', 'adapters/', 'rules/', 'README.md'])
      expect(texts.filter(({ file }) => file.startsWith(part)).length, part).toBeGreaterThan(20);
  });

  test.for(Object.entries(FORBIDDEN))('have no %s', ([, pattern]) => {
    const found = texts.filter(({ file, text }) => !NOT_LINTED.test(file) && !ALLOWED.includes(file) && pattern.test(text));

    expect(found.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([]);
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
  ] as const)('%s: %s', ([name, text]) => {
    expect(FORBIDDEN[name]?.test(text)).toBe(true);
  });
});
