import { z } from 'zod';
import { EntryFields, EntryId, FieldChanges, ListName, MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';

const list = ListName;
const server = z
  .string()
  .regex(/^\d{1,25}$/u, 'expected the id of a Discord server')
  .optional()
  .describe('The id of a Discord server. Absent: the list of the installation.');
const entry = EntryId;
const changed = {
  fields: FieldChanges,
  expected: FieldChanges.optional().meta({
    description: 'The values that fields must still have; `null`: no value. If another one has changed, nothing is changed.',
  }),
};

/** The actions on living lists, as `ACTIONS` declares them. */
export const LIST_ACTIONS = {
  addListEntries: {
    summary: 'Add entries to a list',
    needs: 'editor',
    input: z.object({
      list,
      server,
      entries: z
        .array(z.object({ id: entry, fields: EntryFields }))
        .max(MOST_ENTRIES)
        .describe('The new entries. If the list has one of them, nothing is added.'),
      changes: z
        .array(z.object({ entry, ...changed }))
        .max(MOST_ENTRIES)
        .optional()
        .describe('Changes of entries that the list has. They are stored together with the new entries, or nothing is.'),
    }),
    target: 'list',
    undo: 'undoListChange',
  },
  changeListEntry: {
    summary: 'Change an entry of a list',
    needs: 'editor',
    input: z.object({
      list,
      server,
      entry,
      ...changed,
    }),
    target: 'list',
    undo: 'undoListChange',
  },
  removeListEntries: {
    summary: 'Remove entries from a list',
    needs: 'editor',
    input: z.object({ list, server, entries: z.array(entry).min(1).max(MOST_ENTRIES).describe('The ids of the entries.') }),
    target: 'list',
    undo: 'undoListChange',
  },
  importList: {
    summary: 'Import a list from YAML',
    needs: 'editor',
    input: z.object({
      list,
      server,
      source: z.string().max(1_048_576).describe('The YAML text: a map of entries by id, as in a list file.'),
      mode: z.enum(['merge', 'replace']).default('merge').describe('`merge`: other entries stay. `replace`: other entries are removed.'),
    }),
    target: 'list',
    undo: 'undoListChange',
  },
  deleteList: {
    summary: 'Delete a list that no rule reads',
    needs: 'editor',
    input: z.object({ list, server }),
    target: 'list',
    undo: 'undoListChange',
  },
  undoListChange: {
    summary: 'Undo a change of a list',
    needs: 'editor',
    input: z.object({ change: z.string().min(1).max(100).describe('The id of a change.') }),
    target: 'change',
    undo: 'undoListChange',
  },
} as const;
