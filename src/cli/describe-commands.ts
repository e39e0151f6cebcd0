import type { Command } from 'commander';
import { COMMAND_EXAMPLES } from './command-examples.ts';

/** A command with its arguments, its options and an example. */
export interface CommandDescription {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  /** Arguments and options, with their meaning and default. */
  readonly parameters: readonly (readonly [name: string, about: string, fallback: string])[];
  readonly example: { readonly run: string; readonly output: string };
}

/** Describes the commands of a program. Throws if a command has no example. */
export function describeCommands({ commands }: Command): readonly CommandDescription[] {
  return commands.map((command) => {
    const name = command.name();
    const example = COMMAND_EXAMPLES[name];
    if (!example) throw new Error(`the command ${name} has no example`);
    const parameters = [
      ...command.registeredArguments.map((one) => [one.name(), one.description, valueText(one.defaultValue)] as const),
      ...command.options.map((one) => [one.flags, one.description, valueText(one.defaultValue)] as const),
    ];
    return { name, usage: `fanfare ${name} ${command.usage()}`, about: command.description(), parameters, example };
  });
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
