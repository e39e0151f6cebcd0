/** How many code points a text has: a picture that is put together of several counts as several. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
