/**
 * The greatest number up to `most` for which a condition holds, if it holds up to some number. `least` needs no check. Small numbers are
 * tried first, because a check of a great one takes long.
 */
export function greatest(least: number, most: number, holds: (number: number) => boolean): number {
  let [known, end] = [least, most];
  for (let step = 1; known < end; step *= 2) {
    const next = Math.min(known + step, end);
    if (holds(next)) known = next;
    else {
      end = next - 1;
      break;
    }
  }
  while (known < end) {
    const middle = (known + end + 1) >> 1;
    if (holds(middle)) known = middle;
    else end = middle - 1;
  }
  return known;
}
