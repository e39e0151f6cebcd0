/** What stands above one export. */
export interface SourceDoc {
  /** As Markdown. */
  readonly text: string;
  readonly example: string | undefined;
}

const COMMENT = /^\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport (?:const|class|interface|type|async function|function) (\w+)/gm;

/** The TSDoc of every export of a source file, by its name; an export that is a value and a type has one, on the first. */
export function docsIn(source: string): ReadonlyMap<string, SourceDoc> {
  const docs = new Map<string, SourceDoc>();
  for (const [, comment = '', name = ''] of source.matchAll(COMMENT)) {
    const lines = comment
      .split('\n')
      .map((line) => line.replace(/^ *\* ?/, ''))
      .join('\n')
      .trim();
    const [text = '', example] = lines.split(/^@example\n/m);
    if (!docs.has(name)) docs.set(name, { text: text.trim().replaceAll(/\{@link (\w+)\}/g, '`$1`'), example: example?.trim() });
  }
  return docs;
}

/** The names of the arguments of an operation as a call writes them: `user, options?`. */
export function argumentsIn(source: string, operation: string): string {
  const declaration = source.slice(source.search(new RegExp(`\\b(?:read|write|list)\\('${operation}'`)));
  const args = /\bargs:\s*(\w+)?/.exec(declaration);
  const named = args?.[1];
  const from = named === undefined ? declaration.slice(args?.index) : source.slice(source.indexOf(`function ${named}(`));
  return partsOf(from.slice(from.indexOf('(') + 1))
    .map(argumentName)
    .join(', ');
}

/** The parts of a list of parameters, up to the bracket that ends it. */
function partsOf(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text.replaceAll('=>', '  ')) {
    if ('([{<'.includes(char)) depth++;
    if (')]}>'.includes(char)) depth--;
    if (depth < 0) break;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function argumentName(part: string): string {
  const name = part.startsWith('{') ? 'options' : (/^\w+/.exec(part)?.[0] ?? part);
  const isOptional = /^\w+\?/.test(part) || /[^=]=\s*[^=>]+$/.test(part);
  return `${name}${isOptional ? '?' : ''}`;
}
