import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DraftedRule } from '#src/assistant/drafts.ts';
import { readRegularFile } from '#src/rules/load.ts';
import { writeNew } from '#src/scaffold/write-new.ts';

/** Writes a rule and its tests into the folder of rules, and gives the rule's file. A file that is there already stays as it is. */
export async function writeRule({ rule, source, tests }: DraftedRule, folder: string): Promise<string> {
  // The check of rules lets no other ids through; here nothing else may ever become a path.
  if (!/^[a-z0-9-]{1,64}$/u.test(rule)) throw new Error('a rule has an id that is none');
  const fileOf = (ending: string): string => join(folder, `${rule}${ending}`).replaceAll('\\', '/');
  await mkdir(folder, { recursive: true });
  // The tests first: a rule runs from the moment it is there.
  if (tests !== undefined) await writeOnce(fileOf('.test.yaml'), tests);
  await writeOnce(fileOf('.yaml'), source);
  return fileOf('.yaml');
}

/** What an attempt that broke off has written needs no other. */
async function writeOnce(file: string, text: string): Promise<void> {
  const there = await readRegularFile(file, text.length * 4).catch(() => undefined);
  if (there && 'bytes' in there && Buffer.from(there.bytes).toString() === text) return;
  await writeNew(file, text);
}
