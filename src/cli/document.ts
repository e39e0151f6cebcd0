import type { Command } from 'commander';

/** The groups of commands in the help, in this order. */
export const GROUPS = {
  setUp: 'Set up:',
  rules: 'Write and test rules:',
  run: 'Run:',
  operate: 'Operate:',
  contribute: 'Contribute:',
} as const;

/** The help of a command. */
export interface Documentation {
  readonly group: keyof typeof GROUPS;
  /** One line in the list of commands. */
  readonly summary: string;
  /** The paragraphs of the help of the command. */
  readonly description: readonly string[];
  /** Command lines, each with its purpose. */
  readonly examples: readonly (readonly [about: string, run: string])[];
  /** When the command exits with 0 and with 1. Wrong usage is the same for all commands. */
  readonly exits: readonly [success: string, failure: string];
}

const WRONG_USAGE = 'Wrong usage: an argument or option is missing, unknown or invalid';

const documented = new WeakMap<Command, Documentation>();

/** Adds the help to a command. */
export function document(command: Command, documentation: Documentation): Command {
  const { group, summary, description, examples, exits } = documentation;
  documented.set(command, documentation);
  const exitLines = [...exits, WRONG_USAGE].map((meaning, code) => `  ${code}  ${meaning}`);
  return command
    .helpGroup(GROUPS[group])
    .summary(summary)
    .description(description.join('\n\n'))
    .helpOption('-h, --help', 'Show this help')
    .showHelpAfterError(`  To see the usage: fanfare ${command.name()} --help`)
    .addHelpText('after', `\nExamples:\n${exampleLines(examples).join('\n')}\n\nExit codes:\n${exitLines.join('\n')}`);
}

/** The documentation of a command. Throws if it has none. */
export function documentationOf(command: Command): Documentation {
  const documentation = documented.get(command);
  if (!documentation) throw new Error(`the command ${command.name()} has no documentation`);
  return documentation;
}

function exampleLines(examples: Documentation['examples']): readonly string[] {
  return examples.flatMap(([about, run], index) => [...(index === 0 ? [] : ['']), `  # ${about}`, `  ${run}`]);
}
