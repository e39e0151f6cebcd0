import fc from 'fast-check';
import { ComponentType } from 'discord.js';
import { expect, test } from 'vitest';
import { button } from '#src/discord/components.ts';
import { layout, row, textBlock } from '#src/discord/layout.ts';
import { runs } from '../support/property.ts';

const MOST_CHARACTERS = 4_000;

/** A line without markup; short lines are frequent. */
const line = fc
  .oneof(fc.string({ minLength: 1, maxLength: 80 }), fc.string({ minLength: 1, maxLength: 3_000, unit: 'grapheme' }))
  .map((text) => text.replaceAll('\n', ' '));
const block = fc.array(line, { minLength: 1, maxLength: 60 });

function textsOf(blocks: readonly (readonly string[])[]): readonly string[] {
  const [container] = layout([...blocks.map((lines) => textBlock(...lines)), row(button('follow:undo:1', 'Undo'))]).components;
  const parts = container?.components ?? [];
  expect(parts.at(-1)?.type).toBe(ComponentType.ActionRow);
  return parts.flatMap((part) => ('content' in part ? [part.content] : []));
}

test('all texts of a message fit into it, in whole lines, and fitting texts stay as they are', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
      const wanted = blocks.map((lines) => lines.join('\n'));
      const shown = textsOf(blocks);

      const length = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
      expect(length(shown)).toBeLessThanOrEqual(MOST_CHARACTERS);
      expect(shown).toEqual(length(wanted) <= MOST_CHARACTERS ? wanted : shown);
      for (const [index, text] of shown.entries()) {
        expect(text).not.toBe('');
        expect(text).toSatisfy(() => text === wanted[index] || text.endsWith('…'));
      }
    }),
    { numRuns: runs(200, 2_000) },
  );
});

test('the shortest texts stay whole', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${index} `.padEnd(60, 'x'));

  const [title, first, second] = textsOf([['### 100 streamers added'], lines, lines]);

  expect(title).toBe('### 100 streamers added');
  expect(first?.split('\n').slice(0, -1)).toEqual(lines.slice(0, 32));
  expect(second).toBe(first);
});
