import type { Argument, Command, Option } from 'commander';

/** A word that can complete a command line. */
interface Candidate {
  readonly word: string;
  /** One line. */
  readonly about?: string | undefined;
}

/** What can complete a command line. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether a file or a folder can stand here. */
  readonly files: boolean;
}

export interface CompleteOptions {
  /** The words after `fanfare` up to the cursor; the last one is completed and may be empty. */
  readonly words: readonly string[];
  /** The program with one command, or with all. */
  readonly load: (command?: string) => Promise<Command>;
  /** The names that an argument can have, by the name of the argument. */
  readonly names: Readonly<Record<string, () => Promise<readonly string[]>>>;
}

const NONE: Completion = { candidates: [], files: false };

/** Completes the last word of a command line from the declarations of the commands. */
export async function complete({ words, load, names }: CompleteOptions): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const [name = '', ...rest] = words;
  const starting = ({ candidates, files }: Completion): Completion => ({
    candidates: candidates.filter(({ word }) => word.startsWith(current)),
    files,
  });
  if (words.length < 2 || (name === 'help' && words.length === 2)) return starting(commandsOf(await load()));
  const command = (await load(name)).commands.find((one) => one.name() === name);
  if (!command) return NONE;
  const { option, position, used, onlyArguments } = parse(command, rest.slice(0, -1));
  if (option) return starting(valuesOf(option));
  if (current.startsWith('-') && !onlyArguments) return starting(optionsOf(command, used));
  const argument = argumentAt(command, position);
  return argument ? starting(await choicesOf(argument, names)) : NONE;
}

function commandsOf(program: Command): Completion {
  const commands = program.createHelp().visibleCommands(program);
  return { candidates: commands.map((command) => ({ word: command.name(), about: command.summary() })), files: false };
}

/** What the words before the cursor mean. */
interface Parsed {
  /** The option whose value is at the cursor. */
  readonly option: Option | undefined;
  /** The number of arguments before the cursor. */
  readonly position: number;
  readonly used: readonly Option[];
  /** Whether `--` stands before the cursor. */
  readonly onlyArguments: boolean;
}

function parse({ options }: Command, words: readonly string[]): Parsed {
  const used: Option[] = [];
  let option: Option | undefined;
  let position = 0;
  let onlyArguments = false;
  for (const word of words) {
    const isValue = option !== undefined;
    option = undefined;
    if (isValue) continue;
    if (onlyArguments || !word.startsWith('-')) position++;
    else if (word === '--') onlyArguments = true;
    else {
      const [flag] = word.split('=');
      const found = options.find(({ long, short }) => long === flag || short === flag);
      if (found) used.push(found);
      if (found?.required === true && !word.includes('=')) option = found;
    }
  }
  return { option, position, used, onlyArguments };
}

function optionsOf({ options }: Command, used: readonly Option[]): Completion {
  const left = options.filter((option) => !option.hidden && !used.includes(option));
  return {
    candidates: [
      ...left.map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description })),
      { word: '--help', about: 'Show this help' },
    ],
    files: false,
  };
}

function valuesOf({ argChoices, flags }: Option): Completion {
  return {
    candidates: (argChoices ?? []).map((word) => ({ word })),
    files: argChoices === undefined && /<(?:file|folder|target)>/u.test(flags),
  };
}

function argumentAt({ registeredArguments }: Command, position: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[position] ?? (last?.variadic === true ? last : undefined);
}

/** Arguments are named after their values. */
async function choicesOf(argument: Argument, names: CompleteOptions['names']): Promise<Completion> {
  const name = argument.name();
  if (argument.argChoices) return { candidates: argument.argChoices.map((word) => ({ word })), files: false };
  const known = (await names[name]?.()) ?? [];
  return { candidates: known.map((word) => ({ word })), files: name === 'file' || name === 'folder' || name === 'rules' };
}
