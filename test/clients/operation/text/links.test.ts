import { fc } from '../../../support/property.ts';
import { expect, test } from 'vitest';
import { runsOf } from '#src/clients/operation/text/links.ts';

test.for([
  ['see https://a.com/b?c=d.', ['https://a.com/b?c=d']],
  ['https://en.wikipedia.org/wiki/Chess_(game)', ['https://en.wikipedia.org/wiki/Chess_(game)']],
  ['(see https://a.com)https://b.com', ['https://a.com', 'https://b.com']],
  ['https://a.com#)https://b.com/c]http://d.com!', ['https://a.com#', 'https://b.com/c', 'http://d.com']],
  ['https://a.com?to=https://b.com', ['https://a.com?to=https://b.com']],
  ['<https://a.com>https://b.com', ['https://a.com', 'https://b.com']],
  ['https://a.com/b۔ https://b.com/c؟', ['https://a.com/b', 'https://b.com/c']],
  ['https://“a.com', []],
  ['https://ja.example/レオナルド・ダ・ヴィンチ', ['https://ja.example/レオナルド・ダ・ヴィンチ']],
  ['https://fa.example/می\u200Cخواهم', ['https://fa.example/می\u200Cخواهم']],
  ['https://a.com/@\u2060b\u2060 c', ['https://a.com/@\u2060b']],
  ['https://en.example/Michelson–Morley', ['https://en.example/Michelson–Morley']],
] as const)('the links of %s', ([text, links]) => {
  const runs = runsOf(text);
  expect(runs.flatMap((run) => (run.link ? [run.text] : []))).toEqual(links);
  expect(runs.map((run) => run.text).join('')).toBe(text);
});

test('a link ends before typographic punctuation and invisible characters, whatever follows', () => {
  const path = fc.string({
    unit: fc.constantFrom('a', 'Z', '0', '_', '/', '-', 'ä', '日', 'ー', 'й', 'ש', 'हि', '%20', '(b)'),
    maxLength: 12,
  });
  const sign = fc.constantFrom(...Array.from('„“”‚‘’«»‹›…【】「」『』《》（）、。，．：；！？｡\u00AD\u200B\u200E\uFEFF'));
  fc.assert(
    fc.property(path, sign, fc.constantFrom('', ' next', '次', 'b'), (end, mark, rest) => {
      const link = `https://twitch.tv/ada${end}`;
      const runs = runsOf(`${link}${mark}${rest}`);
      expect(runs.map((run) => [run.text, run.link])).toEqual([
        [link, true],
        [`${mark}${rest}`, false],
      ]);
    }),
  );
});
