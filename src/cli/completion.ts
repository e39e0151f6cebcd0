import { Argument, type Command } from 'commander';
import { refuseOthers } from './action-arguments.ts';
import type { CompleteOptions } from './complete.ts';
import { COMPLETION_SCRIPTS, FILES, SHELLS, type Shell } from './completion-scripts.ts';
import { document } from './document.ts';
import { oneLine } from './format.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `completion`. `load`: the program with one command, or with all. */
export function declare(program: Command, out: Terminal, load: (command?: string) => Promise<Command>): void {
  const command = document(program.command('completion'), {
    group: 'setUp',
    summary: 'Print the completion of the command line for a shell',
    description: [
      'Print a script with which the Tab key completes commands, options, their values and the ids of rules. Load it in the start file of the shell.',
      'words: print the words that can complete a command line. The scripts use it.',
    ],
    examples: [
      ['Load the completion in ~/.config/fish/config.fish', 'fanfare completion fish | source'],
      ['Load the completion in ~/.bashrc', 'source <(fanfare completion bash)'],
      ['Load the completion in ~/.zshrc, after compinit', 'source <(fanfare completion zsh)'],
    ],
    exits: ['The script was printed', 'The script cannot be printed'],
  })
    .addArgument(new Argument('<shell>', 'Shell').choices([...SHELLS, 'words']))
    .argument('[words...]', 'With words: the words after fanfare, the last one incomplete');
  command.action(async (shell: Shell | 'words', words: string[]) => {
    if (shell === 'words') return printWords(words, { load, out });
    refuseOthers(command, shell, { most: 0 });
    out.print(COMPLETION_SCRIPTS[shell]);
  });
}

async function printWords(
  words: readonly string[],
  { load, out }: { readonly load: (command?: string) => Promise<Command>; readonly out: Terminal },
): Promise<void> {
  const { complete } = await import('./complete.ts');
  const { candidates, files } = await complete({ words, load, names: NAMES });
  // Each line is one word for the shell.
  const lines = candidates.filter(({ word }) => oneLine(word) === word).map(({ word, about = '' }) => `${word}\t${oneLine(about)}`);
  for (const line of [...lines, ...(files ? [FILES] : [])]) out.print(line.trimEnd());
}

/** The names of arguments that have no fixed choices. */
const NAMES: CompleteOptions['names'] = { rule: ruleIds, rules: ruleIds, account: accountNames, platform: platformNames };

/** The platforms that can be connected, and the accounts, as far as the configuration can be read. */
async function accountNames(): Promise<readonly string[]> {
  const [{ DEFINITIONS }, { readConfig }] = await Promise.all([import('#src/config/accounts.ts'), import('#src/config/open-config.ts')]);
  const connectable = DEFINITIONS.filter(({ platform, setup }) => setup || platform === 'discord').map(({ platform }) => platform);
  try {
    return [...new Set([...connectable, ...readConfig(process.env).config.accounts.map(({ account }) => account)])];
  } catch {
    return connectable; // as for `ruleIds`
  }
}

async function platformNames(): Promise<readonly string[]> {
  const { capabilityTables } = await import('#src/app/capability-tables.ts');
  return capabilityTables.map(({ adapter }) => adapter);
}

/** The ids of the rules and of their instances, as far as the files can be read. */
async function ruleIds(): Promise<readonly string[]> {
  const { openRules } = await import('#src/app/open-rules.ts');
  try {
    const { rules } = await openRules(process.env).load([]);
    return [...new Set(rules.flatMap(({ name, id }) => [name, id]))].toSorted();
  } catch {
    // A completion has no place for an error, and every other command prints it.
    return [];
  }
}
