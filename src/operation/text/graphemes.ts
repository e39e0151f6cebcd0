const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters as a reader counts them. */
export function* graphemesOf(text: string): Generator<string, void> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** How many of them there are. */
export function countGraphemes(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count++;
  return count;
}
