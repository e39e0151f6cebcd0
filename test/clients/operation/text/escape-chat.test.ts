import { expect, test } from 'vitest';
import { escapeChat } from '#src/clients/operation/text/escape-chat.ts';
import { countProcessorMs } from '../../../support/processor-time.ts';

test.each([
  ['one\ntwo', 'one two'],
  ['one \t\n \n two', 'one two'],
  ['one  two', 'one  two'],
  ['\n/ban ada', '\u2060/ban ada'],
])('%j becomes the line %j', (text, line) => {
  expect(escapeChat(text)).toBe(line);
});

test('many spaces are read fast', () => {
  const workedMs = countProcessorMs();

  escapeChat(' '.repeat(30_000));

  expect(workedMs()).toBeLessThan(1_000);
});
