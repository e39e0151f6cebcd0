import { z } from 'zod';
import { markdownText, webAddress } from '#src/clients/operation/parameters.ts';
import { MOST_LAYOUT_TEXT } from '#src/clients/operation/text/fitted-blocks.ts';
import { type Button, buttons } from './buttons.ts';
import { color } from './color.ts';

const text = markdownText()
  .min(1)
  .max(MOST_LAYOUT_TEXT)
  .describe('A text, in Markdown. Together, the texts of a message have at most 4,000 characters.');
const altText = z.string().max(1024).optional().describe('A description for people who cannot see the picture.');

const Block = z.union([
  z.strictObject({
    text,
    thumbnail: webAddress().optional().describe('The address of a small picture beside the text.'),
    altText,
  }),
  z.strictObject({
    pictures: z
      .array(z.strictObject({ url: webAddress().describe('The address of the picture.'), altText }))
      .min(1)
      .max(10)
      .describe('Large pictures.'),
  }),
  z.strictObject({ separator: z.enum(['line', 'space']).describe('A line or a space between two blocks.') }),
  z.strictObject({ buttons: buttons.unwrap() }),
]);

/** Discord's limit for a message. */
const MOST_PARTS = 40;

const Layout = z
  .strictObject({
    color: color
      .optional()
      .describe('The color of the edge, for example "#9146ff" or 0x9146ff. Without a color, the blocks have no frame.'),
    blocks: z.array(Block).min(1).max(30).describe('The blocks, from top to bottom.'),
  })
  .refine(({ color, blocks }) => countOf(blocks) + (color === undefined ? 0 : 1) <= MOST_PARTS, {
    error: `at most ${MOST_PARTS} parts: a block is one part, a text with a thumbnail three, and buttons one each and one for each row of five`,
  });

function countOf(blocks: readonly z.output<typeof Block>[]): number {
  return blocks.reduce((sum, block) => {
    if ('buttons' in block) return sum + block.buttons.length + Math.ceil(block.buttons.length / 5);
    return sum + ('thumbnail' in block ? 3 : 1);
  }, 0);
}

export type Layout = z.output<typeof Layout>;

/** The layout of a message. */
export const layout = Layout.optional().describe(
  "A message of Discord's Components V2, instead of a text and a card: texts, pictures, lines and buttons in any order. It stays one: an edit cannot change it to a text. Files of the message that no block shows are below the blocks.",
);

/** Why an edit that gives a text or cards to a message with a layout fails. */
export const STAYS_LAYOUT = 'the message has a layout, and it stays one: edit it with layout or buttons, without content and cards';

/** All buttons of a message in the order of their custom ids. */
export function buttonsOf({
  buttons: below = [],
  layout: blocks,
}: {
  readonly buttons?: readonly Button[] | undefined;
  readonly layout?: Layout | undefined;
}): readonly Button[] {
  return [...(blocks?.blocks ?? []).flatMap((block) => ('buttons' in block ? block.buttons : [])), ...below];
}
