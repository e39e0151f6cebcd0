import type { Command } from 'commander';
import { z } from 'zod';
import { documentationOf, GROUPS, type Documentation } from '#src/cli/document.ts';
import { readExamples } from '../markdown.ts';

/** An example of each command: what a user types after `$`, and its output. */
const SAMPLES = readExamples(new URL('command-examples.yaml', import.meta.url), z.record(z.string(), z.string().startsWith('$ ')));

/** A command with its arguments, its options and examples. */
export interface CommandDescription extends Pick<Documentation, 'summary' | 'description' | 'examples' | 'exits'> {
  readonly name: string;
  /** The heading of its group in the list. */
  readonly group: string;
  readonly usage: string;
  /** Arguments and options, with their meaning and default. */
  readonly parameters: readonly (readonly [name: string, about: string, fallback: string])[];
  /** A command line and its output. */
  readonly sample: { readonly run: string; readonly output: string };
}

/** Describes the commands of a program. Throws if a command has no documentation or no sample. */
export function describeCommands({ commands }: Command): readonly CommandDescription[] {
  return commands.map((command) => {
    const name = command.name();
    const [run, ...output] = SAMPLES[name]?.slice(2).split('\n') ?? [];
    if (run === undefined) throw new Error(`the command ${name} has no sample`);
    const sample = { run, output: output.join('\n') };
    const { group, summary, description, examples, exits } = documentationOf(command);
    const parameters = [
      ...command.registeredArguments.map((one) => [one.name(), one.description, valueText(one.defaultValue)] as const),
      ...command.options.map((one) => [one.flags, one.description, valueText(one.defaultValue)] as const),
    ];
    const usage = `fanfare ${name} ${command.usage()}`;
    return { name, group: GROUPS[group].replace(/:$/u, ''), usage, summary, description, parameters, examples, exits, sample };
  });
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
