import { code, codeBlock, frontMatter, paragraphs, table } from '../markdown.ts';
import type { CommandDescription } from './describe-commands.ts';

const INTRODUCTION = `This page lists every command with its arguments, options, examples and exit codes.

In a project with Fanfare, run the commands with \`npx\`, such as \`npx fanfare check\`. Every command has \`--help\`. \`fanfare --version\` prints
the version. Commands read the variables in \`.env\` of the current folder.`;

const OUTPUT = `Commands write their result to standard output, and errors to standard error. Output has colors in a terminal only; set \`NO_COLOR=1\` to
turn them off, or \`FORCE_COLOR=1\` to turn them on in a pipe.

With \`--json\`, a command prints its answer, or its error, as [one JSON document](cli-json.md).`;

const EXIT_CODES: readonly (readonly [number, string])[] = [
  [0, 'The command succeeded.'],
  [1, 'The command failed, or it found errors. The message says what is wrong, where, and what to do.'],
  [2, 'Wrong usage: the command or an option is unknown, or an argument is missing or invalid. Nothing was done.'],
  [70, 'Fanfare has a bug. Please report it with the printed lines.'],
  [78, 'This version of Node is too old for Fanfare.'],
  [130, 'Ctrl+C stopped the command before it was done.'],
];

/** The reference of the command line. */
export function cliPage(commands: readonly CommandDescription[]): string {
  const groups = [...Map.groupBy(commands, ({ group }) => group)];
  return paragraphs(
    frontMatter('Command line'),
    '# Command line',
    INTRODUCTION,
    ...groups.flatMap(([group, members]) => [
      `**${group}**`,
      table(
        ['command', 'description'],
        members.map(({ name, summary }) => [`[\`fanfare ${name}\`](#fanfare-${name})`, summary]),
      ),
    ]),
    '## Output and exit codes',
    OUTPUT,
    table(
      ['exit code', 'meaning'],
      EXIT_CODES.map(([exitCode, meaning]) => [String(exitCode), meaning]),
    ),
    ...commands.flatMap(commandParts),
  ).concat('\n');
}

function commandParts({ name, usage, description, parameters, examples, exits, sample }: CommandDescription): readonly string[] {
  return [
    `## fanfare ${name}`,
    ...description,
    codeBlock('text', usage),
    parameters.length === 0
      ? ''
      : table(
          ['argument or option', 'meaning', 'default'],
          parameters.map(([parameter, meaning, fallback]) => [code(parameter), meaning, code(fallback)]),
        ),
    codeBlock('sh', examples.map(([about, run]) => `# ${about}\n${run}`).join('\n\n')),
    sample.output.includes('\n') ? `The output of \`${sample.run}\`:` : `\`${sample.run}\` prints:`,
    codeBlock('text', sample.output),
    table(
      ['exit code', 'meaning'],
      exits.map((meaning, exitCode) => [String(exitCode), meaning]),
    ),
  ];
}
