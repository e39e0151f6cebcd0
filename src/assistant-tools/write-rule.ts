import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DraftedRule } from '#src/assistant/drafts.ts';
import { readRegularFile } from '#src/rules/regular-file.ts';
import { writeNew } from '#src/scaffold/write-new.ts';

/** Writes a rule and its tests into the rules folder. Resolves with the file of the rule. Existing files stay unchanged. */
export async function writeRule({ rule, source, tests }: DraftedRule, folder: string): Promise<string> {
  // The id becomes a path, so this function does not rely on the earlier check of the rule.
  if (!/^[a-z0-9-]{1,64}$/u.test(rule)) throw new Error('the id of the rule is invalid');
  const fileOf = (ending: string): string => join(folder, `${rule}${ending}`).replaceAll('\\', '/');
  await mkdir(folder, { recursive: true });
  // The tests come first, because the rule runs as soon as its file exists.
  if (tests !== undefined) await writeOnce(fileOf('.test.yaml'), tests);
  await writeOnce(fileOf('.yaml'), source);
  return fileOf('.yaml');
}

/** Writes a file unless an earlier attempt wrote the same content. */
async function writeOnce(file: string, text: string): Promise<void> {
  const there = await readRegularFile(file, text.length * 4).catch(() => undefined);
  if (there && 'bytes' in there && Buffer.from(there.bytes).toString() === text) return;
  await writeNew(file, text);
}
