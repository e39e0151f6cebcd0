import type { Diagnostic } from '#src/rules/diagnostic.ts';
import { readRegularFileSync, type ReadOptions } from '#src/rules/regular-file.ts';
import { decodeText } from './decode-text.ts';
import { Report } from './report.ts';

const UNREADABLE = 'unreadable-file';

/** The text of a file, or its readable beginning and what is wrong after it. */
type TextFile = { readonly source: string } | { readonly source: string; readonly diagnostics: readonly Diagnostic[] };

/** Reads a text file without a pause, because asynchronous reads take eight times the CPU time. */
export function readTextFile(file: string, options: ReadOptions): TextFile {
  try {
    const content = readRegularFileSync(file, options);
    if ('unreadable' in content) return unreadable(file, { source: '', offset: 0, hint: content.unreadable });
    if (isUtf16(content.bytes)) return unreadable(file, { source: '', offset: 0, hint: 'it is UTF-16: save it as UTF-8' });
    const decoded = decodeText(content.bytes);
    if ('text' in decoded) return { source: decoded.text };
    const hint = 'the text is not valid UTF-8 from here on: save the file as UTF-8';
    return unreadable(file, { source: decoded.readable, offset: decoded.invalidAt, hint });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return unreadable(file, { source: '', offset: 0, hint: hintOf(error) });
  }
}

/** Whether the bytes are UTF-16, as PowerShell writes it: with a byte order mark, or with a zero beside the first character. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0);
}

/** Whether a check failed because the file could not be read. Its text may be the same once it can be read. */
export function isUnreadable({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): boolean {
  return diagnostics.some(({ code }) => code === UNREADABLE);
}

function unreadable(
  file: string,
  { source, offset, hint }: { readonly source: string; readonly offset: number; readonly hint: string },
): TextFile {
  const report = new Report(file, source);
  report.error({ path: [], offset }, UNREADABLE, 'the file cannot be read', hint);
  return { source, diagnostics: report.diagnostics };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user has no permission to read it',
  EPERM: 'this user has no permission to read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is neither a file nor a folder',
  ENXIO: 'it is a socket or a device, not a file',
  ELOOP: 'its links form a loop',
};

/** Whether an error is one of the file system. */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** Why the file system refused. */
export function hintOf({ code }: { readonly code: string }): string {
  return REASONS[code] ?? code;
}
