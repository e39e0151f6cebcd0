import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Declared } from '#src/operation/declared.ts';
import type { OperationSource } from './operation-section.ts';
import { docsIn, type SourceDoc } from './source-docs.ts';

const SHARED_RECORDS = ['src/operation/record.ts', 'src/assistant/records.ts'];

/** The source files of one client. */
export interface Sources {
  /** The TSDoc of an export, whichever file it is in. */
  docOf(name: string): SourceDoc | undefined;
  /** Where an operation is declared, and what is said there; throws where it has no TSDoc. */
  sourceOf(operation: Declared): OperationSource;
}

/** Reads the source files of a client below `root`: those of a folder, as `src/social`, and of the records that it shares. */
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
      const twin = files.flatMap(({ text }) => new RegExp(`export const (\\w+) = pagesOf\\(${name}\\)`).exec(text)?.[1] ?? [])[0];
      return { operation, doc, twin, file: source.file };
    },
  };
}
