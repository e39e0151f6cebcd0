import type { APIEmbed } from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { causeLines, fitted } from '#src/discord/controls/lines.ts';
import { en } from '#src/discord/language/en/index.ts';
import { CHANNEL_CODE } from '#src/rules/diagnostic.ts';
import { fittingEmbeds } from '#src/discord/text/fit-texts.ts';
import { runs } from '../../support/property.ts';

const READER = { texts: en, locale: 'en-US' };
const numRuns = runs(200, 2_000);

const text = (maxLength: number) => fc.string({ minLength: 1, maxLength, unit: 'grapheme' });
const lines = fc.array(fc.oneof(text(60), text(2_000)), { minLength: 1, maxLength: 60 });
const embed = fc.record(
  {
    title: text(400),
    description: lines.map((all) => all.join('\n')),
    fields: fc.array(fc.record({ name: text(300), value: lines.map((all) => all.join('\n')) }), { maxLength: 13 }),
    footer: fc.record({ text: text(400) }),
    author: fc.record({ name: text(400) }),
  },
  { requiredKeys: [] },
);

function lengthOf({ title = '', description = '', fields = [], footer, author }: APIEmbed): number {
  const parts = [title, description, footer?.text ?? '', author?.name ?? '', ...fields.flatMap(({ name, value }) => [name, value])];
  return parts.join('').length;
}

test('the embeds of a message fit into it, and embeds that fit stay as they are', () => {
  fc.assert(
    fc.property(fc.array(embed, { minLength: 1, maxLength: 3 }), (embeds) => {
      const shown = fittingEmbeds(embeds);

      for (const { title = '', description = '', fields = [] } of shown) {
        expect(title.length).toBeLessThanOrEqual(256);
        expect(description.length).toBeLessThanOrEqual(4_096);
        expect(fields.every(({ name, value }) => name.length <= 256 && value.length > 0 && value.length <= 1_024)).toBe(true);
      }
      expect(shown.reduce((sum, one) => sum + lengthOf(one), 0)).toBeLessThanOrEqual(6_000);
      expect(fittingEmbeds(shown)).toEqual(shown);
    }),
    { numRuns },
  );
});

test('a list shows something of its first entry, however long it is, and counts the entries that do not fit', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 100, max: 4_000 }), (all, most) => {
      const shown = fitted(all, most, READER);

      expect(shown.length).toBeLessThanOrEqual(most);
      expect(shown.startsWith((all[0] ?? '').slice(0, 20).trimEnd().slice(0, 10))).toBe(true);
    }),
    { numRuns },
  );
});

test.each([1, 3, 4, 50])('of %i broken channels, at most three are shown with the number of the others', (count) => {
  const diagnostics = Array.from({ length: count }, (_, index) => ({
    severity: 'warning' as const,
    code: CHANNEL_CODE,
    file: 'a.yaml',
    line: 1,
    column: 1,
    path: '',
    excerpt: '',
    message: `The Discord server has no channel "${index}".`,
  }));

  const shown = causeLines({ on: true, diagnostics, lastFailure: undefined }, READER);

  expect(shown).toHaveLength(Math.min(count, 4));
  expect(shown.slice(3)).toEqual(count > 3 ? [en.controls.more(`${count - 3}`)] : []);
});
