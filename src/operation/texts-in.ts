/** All texts inside a value, keys left out. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether the texts inside a value name all of `about`. */
export function mentions(value: unknown, about: readonly string[]): boolean {
  const text = textsIn(value).join('\n');
  return about.every((one) => text.includes(one));
}
