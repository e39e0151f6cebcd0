import type { SandboxDiscord } from '../../../client/records.ts';
import { isChosen, type Chosen, type Command, type Option, type TypedCommand, type TypedOption, type Value } from './typed-command.ts';

/** An entry of the list below the field. */
export interface Suggestion {
  readonly label: string;
  readonly description: string;
  /** The text of the field after the entry is taken. */
  readonly text: string;
  /** The option and the value that the entry chooses; absent: the entry is a command or an option. */
  readonly choice?: { readonly option: Option; readonly label: string; readonly value: Value } | undefined;
}

/** The entries, and whether Enter takes the first of them. */
export interface Suggestions {
  readonly items: readonly Suggestion[];
  readonly isNeeded: boolean;
}

const MOST = 25;
const NONE: Suggestions = { items: [], isNeeded: false };

interface Choice {
  readonly name: string;
  readonly value: Value;
}

interface Typing {
  readonly text: string;
  readonly typed: TypedCommand;
  readonly chosen: Chosen;
  readonly seen: Pick<SandboxDiscord, 'commands' | 'members' | 'roles' | 'channels'>;
  /** What the bot suggests for the current option. */
  readonly fromBot: readonly Choice[];
}

/** What fits to the typed text: commands, options, or the values of the current option. */
export function suggestionsFor(typing: Typing): Suggestions {
  const { text, typed, chosen, seen } = typing;
  if (!text.startsWith('/')) return NONE;
  const { command, current } = typed;
  if (!command) return { items: commandsFor(text, seen.commands), isNeeded: true };
  if (!current || isChosen(current, chosen)) return optionsAfter(text, typed);
  if (isFree(current.option)) return current.text === '' ? NONE : { ...optionsAfter(text, typed), isNeeded: false };
  return { items: valuesFor(current, typing), isNeeded: true };
}

function commandsFor(text: string, commands: readonly Command[]): readonly Suggestion[] {
  const wanted = text.slice(1).trim().toLowerCase();
  const matching = commands.filter(({ command }) => command.toLowerCase().includes(wanted));
  const rank = ({ command }: Command): number => (command.toLowerCase().startsWith(wanted) ? 0 : 1);
  return matching
    .toSorted((a, b) => rank(a) - rank(b) || a.command.localeCompare(b.command))
    .slice(0, MOST)
    .map((command) => {
      const [first] = command.options;
      const name = `/${command.command}`;
      return { label: name, description: command.description, text: first?.required ? `${name} ${first.name}: ` : `${name} ` };
    });
}

/** The options that are not typed yet. The field takes no files. */
function optionsAfter(text: string, { command, options }: TypedCommand): Suggestions {
  const left = (command?.options ?? []).filter(({ name, kind }) => kind !== 'file' && !options.some(({ option }) => option.name === name));
  const items = left.map(({ name, description }) => ({ label: `${name}:`, description, text: `${text.trimEnd()} ${name}: ` }));
  return { items, isNeeded: left[0]?.required === true };
}

/** Whether people write any text into the option. */
function isFree({ kind, autocomplete, choices }: Option): boolean {
  return (kind === 'text' || kind === 'integer') && !autocomplete && choices.length === 0;
}

function valuesFor(current: TypedOption, { text, seen, fromBot }: Typing): readonly Suggestion[] {
  const { option, text: typed } = current;
  const wanted = typed.toLowerCase();
  // The bot has searched for the typed text itself.
  const matching = option.autocomplete ? fromBot : choicesOf(option, seen).filter(({ name }) => name.toLowerCase().includes(wanted));
  return matching.slice(0, MOST).map(({ name, value }) => ({
    label: name,
    description: '',
    text: `${text.slice(0, current.startsAt)} ${name} ${text.slice(current.endsAt).trimStart()}`,
    choice: { option, label: name.trim(), value },
  }));
}

function choicesOf({ kind, choices }: Option, { members, roles, channels }: Typing['seen']): readonly Choice[] {
  if (kind === 'boolean') return [true, false].map((value) => ({ name: String(value), value }));
  if (kind === 'user') return members.map(({ id, displayName }) => ({ name: `@${displayName}`, value: id }));
  if (kind === 'role') return roles.map(({ id, name }) => ({ name: name.startsWith('@') ? name : `@${name}`, value: id }));
  if (kind === 'channel') return channels.map(({ id, name }) => ({ name: `#${name}`, value: id }));
  return choices;
}
