import { fc } from '../../support/property.ts';
import { expect, test } from 'vitest';
import { splitMessage } from '#src/discord/text/split-message.ts';
import { countProcessorMs } from '../../support/processor-time.ts';

const texts = fc.constantFrom(
  'Who',
  'plays',
  'chess',
  'tonight?',
  'Ada.',
  'Grace!',
  '\n',
  '\n\n',
  '- item',
  '1. first',
  'e.g.',
  'supercalifragilistic',
);
const block = fc
  .array(fc.constantFrom('const a = 1;', '  indented', '', 'x.'), { maxLength: 12 })
  .map((lines) => `\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`);
const text = fc
  .array(fc.oneof({ weight: 12, arbitrary: texts }, { weight: 1, arbitrary: block }), { maxLength: 120 })
  .map((parts) => parts.join(' '));

test('a short text is one message, and an empty text has no message', () => {
  expect(splitMessage('Hello, Ada.')).toEqual(['Hello, Ada.']);
  expect(splitMessage('')).toEqual([]);
  expect(splitMessage(' \n ')).toEqual([]);
});

test('a long text is cut at the end of a sentence', () => {
  const sentence = 'This sentence has forty-four characters, yes. ';

  const messages = splitMessage(sentence.repeat(100));

  expect(messages.length).toBeGreaterThan(1);
  for (const message of messages) expect(message).toMatch(/^This.*yes\.$/);
});

test('the number of a list item does not end a sentence', () => {
  const messages = splitMessage(`${'word '.repeat(7)}\n12. twelve and so on`, 50);

  expect(messages).toEqual(['word word word word word word word', '12. twelve and so on']);
});

test('a code block that fits into a message stays whole', () => {
  const code = `\`\`\`ts\n${'const a = 1;\n'.repeat(10)}\`\`\``;

  const messages = splitMessage(`Look at this.\n${code}\nThat is all.`, 150);

  expect(messages).toEqual(['Look at this.', code, 'That is all.']);
});

test('a code block that does not fit is closed and reopened', () => {
  const messages = splitMessage(`\`\`\`ts\n${'const a = 1;\n'.repeat(30)}\`\`\``, 160);

  expect(messages.length).toBeGreaterThan(2);
  for (const message of messages) expect(message).toMatch(/^```ts\n(const a = 1;\n)+```$/);
  expect(messages.join('').match(/const/g)).toHaveLength(30);
});

test('an unfinished code block is closed', () => {
  expect(splitMessage('Look:\n```ts\nconst a')).toEqual(['Look:\n```ts\nconst a\n```']);
});

test('a word that is too long is cut between characters', () => {
  const messages = splitMessage('👋'.repeat(60), 51);

  expect(messages.join('')).toBe('👋'.repeat(60));
});

test('nothing is lost and nothing is too long', () => {
  const essence = (written: string): string => written.replaceAll(/```(?:ts)?|\s/g, '');

  fc.assert(
    fc.property(text, fc.integer({ min: 60, max: 300 }), (written, limit) => {
      const messages = splitMessage(written, limit);

      expect(essence(messages.join(''))).toBe(essence(written));
      for (const message of messages) {
        expect(message.length).toBeLessThanOrEqual(limit);
        expect(message.trim()).not.toBe('');
        expect((message.split('```').length - 1) % 2).toBe(0);
      }
    }),
  );
});

test('if a text grows, all messages except the last stay the same', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 60, max: 300 }), fc.nat(), (written, limit, length) => {
      const early = splitMessage(written.slice(0, length % (written.length + 1)), limit);
      const late = splitMessage(written, limit);

      expect(late.slice(0, Math.max(0, early.length - 1))).toEqual(early.slice(0, -1));
    }),
  );
});

test('if a text grows by characters, the number of messages never falls', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 60, max: 300 }), (written, limit) => {
      let before = 0;
      for (let length = 0; length <= written.length; length += 7) {
        const now = splitMessage(written.slice(0, length), limit).length;
        expect(now).toBeGreaterThanOrEqual(before);
        before = now;
      }
    }),
  );
});

test('a code block that fits into a message is never cut', () => {
  const fits = block.filter((code) => code.length < 120);

  fc.assert(
    fc.property(fc.array(fc.oneof(fits, fc.constantFrom('One. ', 'Two words. ', 'three')), { maxLength: 30 }), (parts) => {
      const messages = splitMessage(parts.join(''), 300);

      for (const code of parts.filter((part) => part.startsWith('\n```')))
        expect(messages.some((message) => message.includes(code.trim()))).toBe(true);
    }),
  );
});

test('no character is split', () => {
  const characters = fc.array(fc.constantFrom('👋', '👩‍👩‍👧', 'é', '漢', 'a', ' ', '. '), { maxLength: 200 });

  fc.assert(
    fc.property(characters, fc.integer({ min: 40, max: 90 }), (parts, limit) => {
      for (const message of splitMessage(parts.join(''), limit)) expect(message.isWellFormed()).toBe(true);
    }),
  );
});

test('a text of 100,000 characters is split fast', () => {
  const workedMs = countProcessorMs();

  splitMessage('A sentence of several words. '.repeat(3_500));

  expect(workedMs()).toBeLessThan(1_000);
});
