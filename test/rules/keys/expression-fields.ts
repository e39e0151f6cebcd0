/** A field that an expression of a document reads. */
export interface ExpressionField {
  readonly field: string;
  /** Its location, for example `4:3`. */
  readonly location: string;
  /** The document with another field in its place. */
  readonly renamed: (field: string) => string;
}

/** A field of a record, but no function. People of a list may have any field. */
const FIELD = /(?<=\b(?:item|previous|episode|change|rule|it)\.(?:(?!person\.)\w+\.)*)[a-z]\w{3,}(?![\w(])/gu;
const CONDITION = /(?:^|[\s{,])(?:where|if|forEach|key): /u;

/** The fields that the templates and the conditions of a document read, in lines without a comment. */
export function fieldsRead(source: string): readonly ExpressionField[] {
  return [...source.matchAll(FIELD)].flatMap(({ index, 0: field }) => {
    const lineStart = source.lastIndexOf('\n', index) + 1;
    const before = source.slice(lineStart, index);
    const isTemplate = source.lastIndexOf('${{', index) > source.lastIndexOf('}}', index);
    if (before.includes('#') || !(isTemplate || CONDITION.test(before))) return [];
    const location = `${source.slice(0, index).split('\n').length}:${index - lineStart + 1}`;
    return [{ field, location, renamed: (other: string) => source.slice(0, index) + other + source.slice(index + field.length) }];
  });
}
