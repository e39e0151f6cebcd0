import { decodeText } from '#src/rules/document/decode-text.ts';
import { readRegularFile } from '#src/rules/regular-file.ts';

/** More than a test file of the largest size takes in UTF-8. */
const MOST_BYTES = 1_048_576;
const TEST_FILE = /\.test(\.ya?ml)$/u;

/** The text of a test file, or why it was not read. */
export type TestText = { readonly text: string } | { readonly unreadable: string };

/** Whether a file has tests and no rule. */
export function isTestFile(file: string): boolean {
  return TEST_FILE.test(file);
}

/** The rule file of a test file; any other file is returned unchanged. */
export function ruleFileOf(file: string): string {
  return file.replace(TEST_FILE, '$1');
}

/** The test file beside a rule file. */
export function testFileOf(file: string): string {
  return file.replace(/(\.ya?ml)$/u, '.test$1');
}

/** Reads a test file in one of the folders, or in the folder of one of the files; undefined if it does not exist. */
export async function readTestFile(file: string, within: readonly string[]): Promise<TestText | undefined> {
  const content = await readRegularFile(file, { mostBytes: MOST_BYTES, within }).catch(() => undefined);
  if (!content || 'unreadable' in content) return content;
  const decoded = decodeText(content.bytes);
  return { text: 'text' in decoded ? decoded.text : decoded.readable };
}
