import type { SandboxDiscord } from '../../../client/records.ts';

export type Command = SandboxDiscord['commands'][number];
export type Option = Command['options'][number];
export type Value = string | number | boolean;

export interface TypedOption {
  readonly option: Option;
  /** The text after the colon, without spaces around it. */
  readonly text: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** A command as a person typed it: `/post now text: Chess tonight`. */
export interface TypedCommand {
  /** Absent while its name is not complete. */
  readonly command?: Command | undefined;
  readonly options: readonly TypedOption[];
  /** The option with the cursor; absent: the cursor is in the name or before the first option. */
  readonly current?: TypedOption | undefined;
}

/** Finds the command and the options in a text with a slash. */
export function parseCommand(text: string, cursor: number, commands: readonly Command[]): TypedCommand {
  const named = commands.filter(({ command }) => text.startsWith(`/${command} `)).toSorted((a, b) => b.command.length - a.command.length);
  const [command] = named;
  if (!command) return { options: [] };
  const start = command.command.length + 2;
  const options = optionsIn(text, start, command.options);
  return { command, options, current: options.findLast(({ startsAt }) => startsAt <= cursor) };
}

function optionsIn(text: string, start: number, offered: readonly Option[]): readonly TypedOption[] {
  const names = offered.map(({ name }) => name.replaceAll(/[^\p{L}\p{N}_-]/gu, String.raw`\$&`));
  if (names.length === 0) return [];
  const found: { readonly option: Option; readonly at: number; readonly startsAt: number }[] = [];
  for (const match of text.matchAll(new RegExp(String.raw`(?<=\s)(${names.join('|')}):`, 'gu'))) {
    const option = offered.find(({ name }) => name === match[1]);
    // A text can contain the name of an option that is already there.
    const isNew = option !== undefined && match.index >= start - 1 && !found.some((each) => each.option === option);
    if (isNew) found.push({ option, at: match.index, startsAt: match.index + match[0].length });
  }
  return found.map(({ option, startsAt }, index) => {
    const endsAt = found[index + 1]?.at ?? text.length;
    return { option, text: text.slice(startsAt, endsAt).trim(), startsAt, endsAt };
  });
}

/** The chosen values by option and label. The text has labels, and the bot gets values. */
export type Chosen = ReadonlyMap<string, Value>;

/** The key of a chosen value. */
export function keyOfChoice({ name }: Option, label: string): string {
  return `${name}\n${label}`;
}

/** The value of an option. A member, a role or a channel is named by its id or its name. */
export function valueOf({ option, text }: TypedOption, chosen: Chosen): Value {
  const known = chosen.get(keyOfChoice(option, text)) ?? option.choices.find(({ name }) => name === text)?.value;
  if (known !== undefined) return known;
  if (option.kind === 'boolean') return /^(?:true|yes|ja|1)$/iu.test(text);
  if (option.kind === 'user' || option.kind === 'role' || option.kind === 'channel') return text.replace(/^[@#]/u, '');
  return text;
}

/** Whether the text of an option is one of its values. */
export function isChosen({ option, text }: TypedOption, chosen: Chosen): boolean {
  return chosen.has(keyOfChoice(option, text)) || option.choices.some(({ name }) => name === text);
}

/** The command and its options as the API takes them. Options without a value are left out. */
export function toInput(
  { command, options }: TypedCommand,
  chosen: Chosen,
): { readonly command: string; readonly options: Readonly<Record<string, Value>> } {
  const filled = options.filter(({ text }) => text !== '');
  return {
    command: command?.command ?? '',
    options: Object.fromEntries(filled.map((typed) => [typed.option.name, valueOf(typed, chosen)])),
  };
}
