import { buffer } from 'node:stream/consumers';
import { readFile } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { z } from 'zod';
import { nameOfActor } from '#src/admin/actions/actor.ts';
import { ACTIONS, type ActionInput } from '#src/admin/actions/declarations.ts';
import type { ListActions, ListEdited } from '#src/admin/actions/list-actions.ts';
import type { ListChange, ListRef } from '#src/admin/actions/list-store.ts';
import { ListAnswer, ListChangeAnswer, ListEditAnswer, ListSummaryAnswer } from '#src/admin/queries/list-answers.ts';
import type { ListQueries } from '#src/admin/queries/lists.ts';
import { nameSuggestion } from '#src/clients/operation/closest-name.ts';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { codeOf, Refused } from '#src/errors.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { decodeText } from '#src/rules/document/decode-text.ts';
import { hintOf } from '#src/rules/document/read-text-file.ts';
import { refuseOthers, type ActionArguments } from './action-arguments.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { oneLine } from './format.ts';
import { operator } from './operator.ts';
import { Refusal } from './refusal.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('lists'), {
    group: 'operate',
    summary: 'Show and edit lists of people or things',
    description: [
      'Rules read lists: lists in files, which only their files change, and living lists, which people edit here, in Discord and with the HTTP API. The next poll of a rule reads a changed list.',
      'list: the lists. show: the entries of a list. add: a new entry. edit: change fields of an entry. remove: remove entries. delete: delete a list that no rule reads. undo: undo a change. changes: who changed what and when. import: read entries from a YAML file, or from - for the standard input. export: print a list as YAML.',
      'A field is name=text, or name:=JSON for numbers, true, false, lists and maps. name:=null removes a field.',
    ],
    examples: [
      ['Add a person to a list', 'fanfare lists add team ada twitch=ada kick=ada_k line="Queen to {game}!"'],
      ['Change a field', 'fanfare lists edit team ada line="Back to {game}"'],
      ['Undo a change', 'fanfare lists undo 0c6d5a4e-6f0b-4a38-9a26-5d1e9f0d3c11'],
      ['Delete a list', 'fanfare lists delete tema'],
      ['Copy a list into a file', 'fanfare lists export team > team.yaml'],
    ],
    exits: ['The action is done', 'There is no such list, entry or change, or the action is refused'],
  })
    .addArgument(new Argument('[action]', 'What to do').choices(Object.keys(RUNS)).default('list'))
    .argument('[list]', 'Name of the list; with undo: id of the change')
    .argument('[values...]', 'With add and edit: id and fields of the entry; with remove: ids; with import: file')
    .option(
      '--server <id>',
      'Id of a Discord server, for a list of that server; with changes, "installation" excludes the lists of servers',
    )
    .option('--replace', 'With import: remove all other entries');
  answering(command, {
    schema: ListsAnswer,
    out,
    async run(shown, action: keyof typeof RUNS, list: string | undefined, values: readonly string[], options: ListsOptions) {
      refuseOthers(command, action, TAKES[action]);
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const { withListQueries } = await import('#src/app/open-lists.ts');
      const act: Act = { list, values, ...options, actions: openOfflineActions(process.env), out: shown };
      return await withListQueries(process.env, (queries) => RUNS[action]({ ...act, queries }));
    },
  });
}

const ListsAnswer = z.union([
  z.object({ lists: z.array(ListSummaryAnswer).readonly().describe('The lists, by name.') }).describe('With `list`.'),
  z.object({ list: ListAnswer }).describe('With `show`.'),
  z.object({ edited: ListEditAnswer }).describe('With `add`, `edit`, `remove`, `delete`, `undo` and `import`.'),
  z.object({ changes: z.array(ListChangeAnswer).readonly().describe('The last 50 changes, newest first.') }).describe('With `changes`.'),
  z.object({ yaml: z.string().describe('The list as YAML.') }).describe('With `export`.'),
]);

type Result = Promise<Answer<z.input<typeof ListsAnswer>>>;

interface ListsOptions {
  readonly server?: string | undefined;
  readonly replace?: boolean | undefined;
}

interface Act extends ListsOptions {
  readonly list: string | undefined;
  readonly values: readonly string[];
  readonly actions: ListActions;
  readonly out: Terminal;
}

interface Run extends Act {
  readonly queries: ListQueries;
}

const RUNS: Readonly<
  Record<'list' | 'show' | 'add' | 'edit' | 'remove' | 'delete' | 'undo' | 'changes' | 'import' | 'export', (run: Run) => Result>
> = {
  async list({ queries, out }) {
    const lists = await queries.lists();
    if (lists.length === 0) out.print('There are no lists. To create one: fanfare lists add <list> <id>, or a file lists/<name>.yaml');
    for (const { list, server, kind, entries, file, source, diagnostics } of lists) {
      const where = kind === 'file' ? `file ${file}` : server === undefined ? 'living' : `living, server ${server}`;
      out.print(`${list}  ${entries} ${entries === 1 ? 'entry' : 'entries'}  ${where}`);
      if (source) printSource(source, out);
      for (const one of diagnostics) out.printError(formatDiagnostic(one, out));
    }
    return { data: { lists } };
  },

  async show({ queries, out, ...run }) {
    const ref = refOf(run);
    const list = (await queries.list(ref)) ?? (await noList(ref, queries));
    for (const { id, fields, isFromSource } of list.entries)
      out.print(`${oneLine(id)}${isFromSource ? '  (source)' : ''}  ${fieldsText(fields)}`.trimEnd());
    if (list.source) printSource(list.source, out);
    for (const one of list.diagnostics) out.printError(formatDiagnostic(one, out));
    return { data: { list } };
  },

  async add({ values: [id, ...fields], ...run }) {
    if (id === undefined) throw new UsageError('name the id of the entry: fanfare lists add <list> <id>');
    const entries = [{ id, fields: fieldsOf(fields) }];
    return edited(run, await run.actions.addListEntries(checked('addListEntries', { ...refOf(run), entries }), operator()));
  },

  async edit({ values: [entry, ...fields], ...run }) {
    if (entry === undefined) throw new UsageError('name the id of the entry: fanfare lists edit <list> <id> <field>=<text>');
    const input = checked('changeListEntry', { ...refOf(run), entry, fields: fieldsOf(fields) });
    return edited(run, await run.actions.changeListEntry(input, operator()));
  },

  async remove({ values: entries, ...run }) {
    if (entries.length === 0) throw new UsageError('name the ids of the entries: fanfare lists remove <list> <id>');
    return edited(run, await run.actions.removeListEntries(checked('removeListEntries', { ...refOf(run), entries }), operator()));
  },

  async delete(run) {
    const deleted = await run.actions.deleteList(checked('deleteList', refOf(run)), operator());
    run.out.print(`Deleted the list ${deleted.list}.`);
    return edited(run, deleted);
  },

  async undo({ list: change, ...run }) {
    if (change === undefined) throw new UsageError('name the id of the change', { hint: 'To list the changes: fanfare lists changes' });
    return edited(run, await run.actions.undoListChange(checked('undoListChange', { change }), operator()));
  },

  async changes({ queries, list, server, out }) {
    const { items: changes } = await queries.changes({ list, server });
    for (const one of changes)
      out.print(
        `${one.id}  ${one.at.toISOString().slice(0, 16)}Z  ${one.list}${one.server === undefined ? '' : `, server ${one.server}`}  ${nameOfActor(one.by)}: ${changeText(one)}`,
      );
    if (changes.length === 0) out.print('There are no changes.');
    return { data: { changes } };
  },

  async import({ values: [file], replace = false, ...run }) {
    if (file === undefined) throw new UsageError('name the YAML file, or - for the standard input');
    const place = file === '-' ? 'the standard input' : file;
    const source = textOf(file === '-' ? await buffer(process.stdin) : await readFile(file).catch(unreadable(file)), place);
    const mode = replace ? 'replace' : 'merge';
    const input = checked('importList', { ...refOf(run), source, mode });
    return edited(run, await run.actions.importList(input, operator()).catch(refusedText(place)));
  },

  async export({ queries, out, ...run }) {
    const ref = refOf(run);
    const yaml = (await queries.export(ref)) ?? (await noList(ref, queries));
    out.print(yaml.trimEnd());
    return { data: { yaml } };
  },
};

const TAKES: Readonly<Record<keyof typeof RUNS, ActionArguments>> = {
  list: { most: 0, hint: 'It prints all lists. To show the entries of one: fanfare lists show <list>' },
  show: { most: 1, options: ['--server'] },
  add: { options: ['--server'] },
  edit: { options: ['--server'] },
  remove: { options: ['--server'] },
  delete: {
    most: 1,
    options: ['--server'],
    hint: 'It deletes the whole list. To remove entries: fanfare lists remove <list> <id>',
  },
  undo: { most: 1 },
  changes: { most: 1, options: ['--server'] },
  import: { most: 2, options: ['--server', '--replace'] },
  export: { most: 1, options: ['--server'] },
};

type Source = NonNullable<z.input<typeof ListSummaryAnswer>['source']>;

function printSource({ watch, account, with: params, readAt, problem }: Source, out: Terminal): void {
  const read = readAt ? `read ${readAt.toISOString().slice(0, 16)}Z` : 'not read yet: a running Fanfare reads it';
  out.print(`source: ${watch} ${fieldsText(params)} through ${account}, ${read}`);
  const kept = readAt ? 'the list keeps its last people' : 'rules that read the list wait';
  if (problem !== undefined) out.printError(`the last read failed, so ${kept}: ${oneLine(problem)}`);
}

function edited({ out }: Pick<Run, 'out'>, result: ListEdited): Awaited<Result> {
  const { list, change, created } = result;
  if (created) out.print(`Created the list ${list}.`);
  if (!change) out.print('There is nothing to change.');
  else {
    if (Object.keys(change.after).length > 0) out.print(`${list}: ${changeText(change)}`);
    out.print(`To undo it: fanfare lists undo ${change.id}`);
  }
  return { data: { edited: result } };
}

/** A change in a few words, for example `added ada, grace; removed alan`. */
function changeText({ before, after, undoes }: ListChange): string {
  // Only the deletion of a list without entries changes none, and its undo.
  if (Object.keys(after).length === 0) return undoes === undefined ? 'deleted the empty list' : 'created the empty list';
  const added = Object.keys(after).filter((id) => !before[id] && after[id]);
  const removed = Object.keys(after).filter((id) => before[id] && !after[id]);
  const changed = Object.keys(after).filter((id) => before[id] && after[id]);
  const parts = [['added', added] as const, ['changed', changed] as const, ['removed', removed] as const];
  return parts.flatMap(([what, ids]) => (ids.length === 0 ? [] : [`${what} ${namesText(ids)}`])).join('; ');
}

const MOST_NAMES = 5;

function namesText(ids: readonly string[]): string {
  const rest = ids.length - MOST_NAMES;
  return ids.slice(0, MOST_NAMES).map(oneLine).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function fieldsText(fields: JsonObject): string {
  return Object.entries(fields)
    .map(([name, value]) => (typeof value === 'string' ? `${name}=${JSON.stringify(oneLine(value))}` : `${name}:=${JSON.stringify(value)}`))
    .join(' ');
}

/** The fields of `name=text` and `name:=JSON`. */
function fieldsOf(written: readonly string[]): JsonObject {
  return Object.fromEntries(
    written.map((one): [string, Json] => {
      const [, name = '', isJson, value = ''] = /^(\w+)(:?)=([^]*)$/u.exec(one) ?? [];
      if (name === '') throw new UsageError(`expected a field as name=text, found ${one}`, { argument: 'values' });
      if (isJson !== ':') return [name, value];
      try {
        return [name, JSON.parse(value) as Json]; // JSON.parse returns JSON
      } catch {
        throw new UsageError(`the value of ${name} is not JSON`, { argument: 'values', hint: `for text, write ${name}=${value}` });
      }
    }),
  );
}

function refOf({ list, server }: Pick<Act, 'list' | 'server'>): { readonly list: string; readonly server: string | undefined } {
  if (list === undefined) throw new UsageError('name the list', { argument: 'list', hint: 'To list the lists: fanfare lists' });
  return { list, server };
}

/** The input of an action. Throws a `UsageError` if a value does not fit. */
function checked<Name extends keyof ListActions>(name: Name, input: object): ActionInput<Name> {
  const read = ACTIONS[name].input.safeParse(input);
  if (read.success) return read.data as ActionInput<Name>; // parsed with the schema of the action
  const [issue] = read.error.issues;
  throw new UsageError(`${issue?.path.join('.')}: ${issue?.message}`);
}

async function noList({ list }: ListRef, queries: ListQueries): Promise<never> {
  const known = (await queries.lists()).map((one) => one.list);
  const message = `there is no list ${list}${nameSuggestion(list, known)}`;
  throw new Refusal(message, { code: 'listNotFound', hint: 'To list the lists: fanfare lists' });
}

/** Adds the place of a text to the refusal of its errors. */
function refusedText(place: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Refused) || error.code !== 'listHasErrors') throw error;
    throw new Refused(error.code, `${place}: ${error.message}`);
  };
}

/** The text of a file. Rules would announce what another encoding makes of letters. */
function textOf(bytes: Uint8Array, file: string): string {
  const decoded = decodeText(bytes);
  if ('text' in decoded) return decoded.text;
  throw new Refusal(`${file} is not UTF-8`, { code: 'unreadableFile', hint: 'Save it as UTF-8.' });
}

function unreadable(file: string): (error: unknown) => never {
  return (error) => {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new Refusal(`${file}: the file cannot be read`, { code: 'unreadableFile', hint: hintOf({ code }) });
  };
}
