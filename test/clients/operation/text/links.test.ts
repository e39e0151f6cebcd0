import { expect, test } from 'vitest';
import { runsOf } from '#src/clients/operation/text/links.ts';

test.for([
  ['see https://a.com/b?c=d.', ['https://a.com/b?c=d']],
  ['https://en.wikipedia.org/wiki/Chess_(game)', ['https://en.wikipedia.org/wiki/Chess_(game)']],
  ['(see https://a.com)https://b.com', ['https://a.com', 'https://b.com']],
  ['https://a.com#)https://b.com/c]http://d.com!', ['https://a.com#', 'https://b.com/c', 'http://d.com']],
  ['https://a.com?to=https://b.com', ['https://a.com?to=https://b.com']],
  ['<https://a.com>https://b.com', ['https://a.com', 'https://b.com']],
] as const)('the links of %s', ([text, links]) => {
  const runs = runsOf(text);
  expect(runs.flatMap((run) => (run.link ? [run.text] : []))).toEqual(links);
  expect(runs.map((run) => run.text).join('')).toBe(text);
});
