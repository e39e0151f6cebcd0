import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readExamples } from '../markdown.ts';

const Wish = z.strictObject({
  /** One sentence of ours. */
  wish: z.string(),
  /** The public address at which a user asks for it. */
  source: z.url(),
  /** The name of the guide whose rule fulfils it. Absent: no rule fulfils it. */
  guide: z.string().optional(),
  /** What a rule needs to fulfil it; only without a guide. */
  missing: z.string().optional(),
});

export type Wish = z.output<typeof Wish>;

/** The wishes of users of other bots and tools. */
export const WISHES: readonly Wish[] = readExamples(new URL('wishes.yaml', import.meta.url), z.array(Wish));

/** The lines of a rule that a user writes: without empty lines, comments, `id` and `about`. */
export function writtenLines(rule: string): readonly string[] {
  return rule.split('\n').filter((line) => line.trim() !== '' && !/^(?: *#|(?:id|about):)/u.test(line));
}

/** The rule and the test of a guide. */
export interface GuideBlocks {
  readonly title: string;
  readonly rule: string;
  /** The number of cases of the test. */
  readonly cases: number;
}

export function readGuide(root: string, guide: string): GuideBlocks {
  const text = readFileSync(join(root, 'docs/guides', `${guide}.md`), 'utf8');
  const blocks = [...text.matchAll(/^```yaml\n([^]*?)^```$/gmu)].map(([, block = '']) => block);
  const [, title = guide] = /^# (.+)$/mu.exec(text) ?? [];
  const rule = blocks.find((block) => /^id:/mu.test(block) && /^then:/mu.test(block)) ?? '';
  const tests = blocks.find((block) => /^rule:/mu.test(block) && /^cases:/mu.test(block)) ?? '';
  return { title, rule, cases: [...tests.matchAll(/^ {2}- it:/gmu)].length };
}
