import { z } from 'zod';
import { jsonObject } from './answers.ts';
import { DiagnosticAnswer } from './diagnostic-answer.ts';

const server = z.string().optional().describe('The id of the Discord server; absent: the list of the installation.');
const list = z.string().describe('The name of the list.');

export const ListEntryAnswer = z
  .object({
    id: z.string().describe('The id, unique in the list.'),
    list,
    server,
    fields: jsonObject.describe('The fields of the entry.'),
    isFromSource: z.literal(true).optional().describe('The source of the list has this person; absent: only the file has the entry.'),
  })
  .meta({ examples: [{ id: 'ada', list: 'team', fields: { twitch: 'ada', line: 'Queen to {game}!' } }] });

const states = jsonObject.describe('The fields of the changed entries by id; null: there is no such entry.');

/** A change of a living list. */
export const ListChangeAnswer = z
  .object({
    id: z.string().describe('The id of the change, for `undoListChange`.'),
    at: z.date().describe('When it was changed.'),
    by: z
      .object({
        name: z.string().describe('The name of the person or the token.'),
        via: z.enum(['discord', 'cli', 'api', 'page']).describe('Where the person acted.'),
        id: z.string().optional().describe('The id of the person or the token.'),
      })
      .describe('Who changed it.'),
    list,
    server,
    before: states,
    after: states,
    undoes: z.string().optional().describe('The id of the change that this one undoes.'),
    undoneBy: z.string().optional().describe('The id of the change that undid this one.'),
  })
  .meta({
    examples: [
      {
        id: '0c6d5a4e-6f0b-4a38-9a26-5d1e9f0d3c11',
        at: '2026-11-20T18:00:00.000Z',
        by: { name: 'ada', via: 'discord', id: '1202584' },
        list: 'team',
        before: { ada: null },
        after: { ada: { twitch: 'ada' } },
      },
    ],
  });

/** What an action did to a list. */
export const ListEditAnswer = z
  .object({
    list,
    server,
    change: ListChangeAnswer.optional().describe('The change; absent: there was nothing to change.'),
    entries: z.array(ListEntryAnswer).readonly().describe('The entries of the request after the change, without removed ones.'),
    created: z.literal(true).optional().describe('The action created the list; absent: the list existed.'),
  })
  .meta({ examples: [{ list: 'team', entries: [{ id: 'ada', list: 'team', fields: { twitch: 'ada' } }] }] });

const summary = {
  list,
  server,
  kind: z.enum(['file', 'living']).describe('`file`: only its file changes it. `living`: people edit it.'),
  file: z.string().optional().describe('The path of the file.'),
  source: z
    .object({
      watch: z.string().describe('The operation that reads the people.'),
      account: z.string().describe('The account that reads them.'),
      with: jsonObject.describe('The parameters of the operation.'),
      readAt: z.date().optional().describe('When the people were last read; absent: not yet.'),
      problem: z.string().optional().describe('Why the last read failed. The list keeps its last people.'),
    })
    .optional()
    .describe('The source of further entries; absent: the list has no source.'),
  diagnostics: z.array(DiagnosticAnswer).readonly().describe('The errors and warnings of the file.'),
  rules: z
    .array(
      z.object({
        id: z.string().describe('The id of the rule.'),
        on: z.boolean().describe('Whether the rule runs.'),
        watches: z.boolean().describe('Whether it watches the entries as people; otherwise, expressions of it read the list.'),
      }),
    )
    .readonly()
    .optional()
    .describe('The loaded rules that read the list, by id: the first 50. Absent in answers of the command line.'),
  ruleCount: z.int().min(0).optional().describe('The number of all loaded rules that read the list.'),
};

/** A list without its entries. */
export const ListSummaryAnswer = z
  .object({ ...summary, entries: z.int().min(0).describe('The number of entries.') })
  .meta({ examples: [{ list: 'team', kind: 'living', entries: 12, diagnostics: [] }] });

/** A list with its entries. */
export const ListAnswer = z.object({ ...summary, entries: z.array(ListEntryAnswer).readonly().describe('The entries, by id.') }).meta({
  examples: [{ list: 'team', kind: 'living', diagnostics: [], entries: [{ id: 'ada', list: 'team', fields: { twitch: 'ada' } }] }],
});
