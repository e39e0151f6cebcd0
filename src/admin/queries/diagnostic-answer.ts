import { z } from 'zod';
import type { Diagnostic } from '#src/rules/diagnostic.ts';

export const DiagnosticAnswer: z.ZodType<Diagnostic> = z
  .object({
    severity: z.enum(['error', 'warning']).describe('A rule with an error does not run.'),
    code: z.string().describe('The kind of the mistake, for example `unknown-key`.'),
    file: z.string().describe('The rule file.'),
    line: z.int().min(1).describe('The line, from 1.'),
    column: z.int().min(1).describe('The column, from 1.'),
    path: z.string().describe('The path in the file, for example `then[0].with.text`.'),
    message: z.string().describe('What is wrong.'),
    hint: z.string().optional().describe('How to fix it.'),
    excerpt: z.string().describe('The line of the file.'),
  })
  .meta({
    examples: [
      {
        severity: 'error',
        code: 'unknown-key',
        file: 'rules/valorant-top.yaml',
        line: 6,
        column: 3,
        path: 'when.evry',
        message: 'unknown key: evry',
        hint: 'did you mean every?',
        excerpt: '  evry: 10s',
      },
    ],
  });
