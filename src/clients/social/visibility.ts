import type { PostVisibility } from './enumerations.ts';

/** Every visibility, the widest first. */
const BY_WIDTH: readonly PostVisibility[] = ['public', 'unlisted', 'followers', 'direct'];

/** Whether more people see a post with one visibility than with the other. */
export function isWider(one: PostVisibility, other: PostVisibility): boolean {
  return BY_WIDTH.indexOf(one) < BY_WIDTH.indexOf(other);
}
