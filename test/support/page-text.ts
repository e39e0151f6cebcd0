/** The visible text of a view in a document. */
export function textOf(page: string): string {
  const [, view = ''] = /<main id="view"[^>]*>(.*?)<\/main>/su.exec(page) ?? [];
  return view
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** The data for the script of a view. */
export function shownOf(page: string): unknown {
  const [, json = ''] = /<script type="application\/json" id="shown">(.*?)<\/script>/su.exec(page) ?? [];
  return JSON.parse(json);
}
