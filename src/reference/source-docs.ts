/** What stands above one export. */
export interface SourceDoc {
  /** As Markdown. */
  readonly text: string;
  readonly example: string | undefined;
}

const COMMENT = /^\/\*\*((?:(?!\*\/)[^])*)\*\/\n(export )?(?:const|class|interface|type|async function|function) (\w+)/gm;
/** How something is exported by a name that no declaration can have, as `delete`. */
const RENAMED = /^export \{ (\w+) as (\w+) \};/gm;

/** The TSDoc of every export of a source file, by its name; an export that is a value and a type has one, on the first. */
export function docsIn(source: string): ReadonlyMap<string, SourceDoc> {
  const names = new Map([...source.matchAll(RENAMED)].map(([, own = '', exported = '']) => [own, exported]));
  const docs = new Map<string, SourceDoc>();
  for (const [, comment = '', isExported, own = ''] of source.matchAll(COMMENT)) {
    const name = isExported === undefined ? names.get(own) : own;
    if (name !== undefined && !docs.has(name)) docs.set(name, docOf(comment));
  }
  return docs;
}

function docOf(comment: string): SourceDoc {
  const lines = comment
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, ''))
    .join('\n')
    .trim();
  const [text = '', example] = lines.split(/^@example\n/m);
  return { text: text.trim().replaceAll(/\{@link (\w+)\}/g, '`$1`'), example: example?.trim() };
}
