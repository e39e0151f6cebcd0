import { code, codeBlock, frontMatter, paragraphs, table } from './markdown.ts';

/** A command, as the command line declares it. */
interface Command {
  readonly name: string;
  readonly usage: string;
  readonly about: string;
  readonly parameters: readonly (readonly [name: string, about: string, fallback: string])[];
  readonly example: { readonly run: string; readonly output: string };
}

const INTRODUCTION = `This page lists every command with its options and an example.

In a project with Fanfare, run the commands with \`npx\`, as \`npx fanfare check\`. Every command has \`--help\`. \`fanfare --version\` prints the
version. Commands read the variables in \`.env\` of the current folder. If a command fails, it exits with 1.`;

/** The reference of the command line. */
export function cliPage(commands: readonly Command[]): string {
  return paragraphs(
    frontMatter('Command line'),
    '# Command line',
    INTRODUCTION,
    table(
      ['command', 'what it does'],
      commands.map(({ name, about }) => [`[\`fanfare ${name}\`](#fanfare-${name})`, about]),
    ),
    ...commands.flatMap(({ name, usage, about, parameters, example }) => [
      `## fanfare ${name}`,
      `${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`,
      codeBlock('text', usage),
      parameters.length === 0
        ? ''
        : table(
            ['argument or option', 'meaning', 'default'],
            parameters.map(([parameter, meaning, fallback]) => [code(parameter), meaning, code(fallback)]),
          ),
      codeBlock('sh', example.run),
      codeBlock('text', example.output),
    ]),
  ).concat('\n');
}
