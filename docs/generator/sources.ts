import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Declared } from '#src/clients/operation/declared.ts';

/** The TSDoc of an export. */
interface SourceDoc {
  /** As Markdown. */
  readonly text: string;
  readonly example: string | undefined;
}

/** The declaration of an operation. */
export interface OperationSource {
  readonly operation: Declared;
  /** The path from the root of the project. */
  readonly file: string;
  readonly doc: SourceDoc;
}

/** The source files of one client. */
export interface Sources {
  /** The TSDoc of an export in any file. */
  docOf(name: string): SourceDoc | undefined;
  /** The declaration of an operation. Throws if the operation has no TSDoc. */
  sourceOf(operation: Declared): OperationSource;
}

const SHARED_RECORDS = ['src/clients/operation/record.ts', 'src/clients/assistant/records.ts'];
const COMMENT = /^\/\*\*((?:(?!\*\/)[^])*)\*\/\n(export )?(?:const|class|interface|type|async function|function) (\w+)/gm;
/** An export under a name that is a reserved word, for example `delete`. */
const RENAMED = /^export \{ (\w+) as (\w+) \};/gm;

/** Reads the source files of a client below `root`: a folder, for example `src/clients/social`, and the shared records. */
export function readSources(root: string, folder: string): Sources {
  const paths = globSync([`${folder}/**/*.ts`, ...SHARED_RECORDS], { cwd: root }).toSorted();
  const files = paths.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const docs = new Map(files.flatMap(({ text }) => [...docsIn(text)]));

  return {
    docOf: (name) => docs.get(name),

    sourceOf(operation) {
      const { name } = operation;
      const source = files.find(({ text }) => new RegExp(`\\b(?:read|write|list)\\('${name}'`).test(text));
      const doc = docs.get(name);
      if (!source || !doc) throw new Error(`${folder}: operation ${name} has no TSDoc above it`);
      return { operation, doc, file: source.file };
    },
  };
}

/** The TSDoc of each export by name. If a value and a type have the same name, the first one counts. */
function docsIn(source: string): ReadonlyMap<string, SourceDoc> {
  const exportedNames = new Map([...source.matchAll(RENAMED)].map(([, local = '', exported = '']) => [local, exported]));
  const docs = new Map<string, SourceDoc>();
  for (const [, comment = '', isExported, local = ''] of source.matchAll(COMMENT)) {
    const name = isExported === undefined ? exportedNames.get(local) : local;
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
