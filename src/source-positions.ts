import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/gu;

/** The number of positions that are kept. Reading a source map takes much longer than anything else about an error. */
const KEPT = 1000;
const known = new Map<string, string>();

/** Replaces positions in a build by the positions in the sources. Without a build, the text stays the same. */
export function withSourcePositions(text: string): string {
  return text.replace(POSITION, (position: string, file: string, line: string, column: string) => {
    const found = known.get(position) ?? sourceOf(file, { line: Number(line), column: Number(column) }) ?? position;
    if (known.size < KEPT) known.set(position, found);
    return found;
  });
}

function sourceOf(file: string, position: { readonly line: number; readonly column: number }): string | undefined {
  try {
    // The build writes the file, or it is absent.
    const map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')) as SourceMapPayload);
    const origin = map.findOrigin(position.line, position.column);
    return 'fileName' in origin ? `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}` : undefined;
  } catch {
    return undefined;
  }
}
