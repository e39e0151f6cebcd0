import { readDocument } from '#src/rules/document/read-document.ts';
import { Report, type Location, type Path } from '#src/rules/document/report.ts';

/** The position of a value in a file that was checked before. */
export function locate({ file, source }: { readonly file: string; readonly source: string }, path: Path): Location {
  return readDocument(source, new Report(file, source))?.locationOf(path) ?? { path, offset: 0 };
}
