/** A role without the marks of its mention: the id in `<@&123>`, the name in `@Live`, and any other text unchanged. */
export function bareRole(written: string): string {
  return /^<@&(\d+)>$/u.exec(written)?.[1] ?? written.replace(/^@/u, '');
}
