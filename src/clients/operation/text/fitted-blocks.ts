import { shortenMarkdown } from './shorten-markdown.ts';

/** Discord's limit for all texts of a layout. */
export const MOST_LAYOUT_TEXT = 4_000;

/** The blocks with texts of at most `most` characters together. If they are too long, the last texts are shortened or left out. */
export function fittedBlocks<B extends object>(blocks: readonly B[], most: number): readonly B[] {
  let left = most;
  return blocks.flatMap((block): readonly B[] => {
    const whole = textOf(block);
    if (whole === undefined) return [block];
    const text = shortenMarkdown(whole, left);
    left -= text.length;
    return text === '' ? [] : [{ ...block, text }];
  });
}

/** The length of all texts of the blocks. */
export function charactersIn(blocks: readonly object[]): number {
  return blocks.reduce((sum, block) => sum + (textOf(block)?.length ?? 0), 0);
}

function textOf(block: object): string | undefined {
  return 'text' in block && typeof block.text === 'string' ? block.text : undefined;
}
