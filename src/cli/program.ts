import type { EventEmitter } from 'node:events';
import { Command, Help, type Argument, type Option } from 'commander';
import project from '../../package.json' with { type: 'json' };
import { EXIT_CODES } from './exit-codes.ts';
import { printJsonFailure } from './print-failure.ts';
import type { Terminal } from './terminal.ts';

/** The modules of the commands, in the order of the help. Only the requested command is loaded; help loads all. */
const COMMANDS = {
  init: () => import('./init.ts'),
  auth: () => import('./auth.ts'),
  doctor: () => import('./doctor.ts'),
  new: () => import('./new.ts'),
  check: () => import('./check.ts'),
  test: () => import('./test.ts'),
  preview: () => import('./preview.ts'),
  replay: () => import('./replay.ts'),
  capabilities: () => import('./capabilities.ts'),
  schema: () => import('./schema.ts'),
  start: () => import('./start.ts'),
  sandbox: () => import('./sandbox.ts'),
  explain: () => import('./explain.ts'),
  pause: () => import('./pause.ts'),
  resume: () => import('./pause.ts'),
  run: () => import('./run.ts'),
  keep: () => import('./keep.ts'),
  resolve: () => import('./resolve.ts'),
  resend: () => import('./resend.ts'),
  answer: () => import('./answer.ts'),
  posts: () => import('./posts.ts'),
  rules: () => import('./rules.ts'),
  lists: () => import('./lists.ts'),
  servers: () => import('./servers.ts'),
  user: () => import('./user.ts'),
  token: () => import('./token.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./backup.ts'),
  migrate: () => import('./migrate.ts'),
  completion: () => import('./completion.ts'),
  bench: () => import('./bench.ts'),
} as const;

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** Longer lines are hard to read, even in a wide terminal. */
const WIDEST_HELP = 80;
/** In fewer columns, the meaning of an option is not broken into lines. */
const NARROWEST_HELP = 20;

const FOOTER = `
Examples:
  # Create a project, and run its first rule on simulated platforms
  fanfare init my-bot && cd my-bot && fanfare start

  # Find out why a streamer was not announced
  fanfare explain --item ada

To see the help of a command: fanfare <command> --help`;

/** The program with the requested command, or with all commands. */
export async function program(argv: readonly string[], out: Terminal): Promise<Command> {
  const fanfare = new Command('fanfare')
    .usage('<command> [options]')
    .version(project.version, '-V, --version', 'Show the version')
    .description('Announcements for gaming and streaming communities from YAML rules.')
    .helpOption('-h, --help', 'Show this help')
    .addHelpCommand('help [command]', 'Show the help of a command')
    .addHelpText('after', FOOTER)
    .configureHelp({
      minWidthToWrap: NARROWEST_HELP,
      subcommandTerm: (command) => command.name(),
      visibleCommands: listed,
      optionDescription: described,
      argumentDescription: described,
    })
    .configureOutput({
      getOutHelpWidth: () => Math.min(process.stdout.columns || WIDEST_HELP, WIDEST_HELP),
      getErrHelpWidth: () => Math.min(process.stderr.columns || WIDEST_HELP, WIDEST_HELP),
      outputError: (text, write) => (argv.includes('--json') ? printJsonFailure(usageFailure(text), out) : write(errorText(text, out))),
    })
    .exitOverride(({ exitCode }) => process.exit(exitCode === EXIT_CODES.success ? exitCode : EXIT_CODES.usage))
    .showHelpAfterError('  To list the commands: fanfare --help')
    .hook('preAction', (_, command) => requireOptionValues(command));
  const [name = '', topic] = argv.slice(2);
  const loaders = Object.entries(COMMANDS).filter(([command], _, all) => command === name || !all.some(([known]) => known === name));
  const modules = new Set(await Promise.all(loaders.map(([, load]) => load())));
  const load = (command = ''): Promise<Command> => program(['', '', command], out);
  for (const { declare } of modules) declare(fanfare, out, load);
  refuseRepeatedOptions(fanfare);
  // commander prints only the usage.
  if (name === 'help' && topic !== undefined && !Object.hasOwn(COMMANDS, topic) && !topic.startsWith('-')) fanfare.parse(['', '', topic]);
  return fanfare;
}

/** commander takes the option after one without its value as the value. */
function requireOptionValues(command: Command): void {
  const missing = command.options.find((option) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    return option.required && command.options.some(({ long }) => long === value);
  });
  if (missing) command.error(`error: option '${missing.flags}' argument missing`, { code: 'commander.optionMissingArgument' });
}

/** commander takes the last value of an option that is given twice. */
function refuseRepeatedOptions(command: Command): void {
  const events = command as Command & EventEmitter; // its types have only `on`
  for (const option of command.options.filter(({ required, variadic }) => required && !variadic)) {
    let first: string | undefined;
    // Before commander stores the value: an option has no source when a command line begins.
    events.prependListener(`option:${option.name()}`, (value: string) => {
      if (command.getOptionValueSource(option.attributeName()) !== 'cli') first = value;
      if (value === first) return;
      command.error(`error: option '${option.flags}' is given twice, with ${first} and ${value}`, { code: 'commander.invalidArgument' });
    });
  }
  command.commands.forEach(refuseRepeatedOptions);
}

/** The commands of the list. The last line of the help replaces the command `help`. */
function listed(command: Command): Command[] {
  return new Help().visibleCommands(command).filter((one) => one.name() !== 'help');
}

/** The meaning of an option or argument, with its default. */
function described({ description, defaultValue }: Option | Argument): string {
  return typeof defaultValue === 'string' ? `${description} (default: ${defaultValue})` : description;
}

/** An error of commander as data. */
function usageFailure(text: string): { readonly code: 'usage'; readonly message: string } {
  return {
    code: 'usage',
    message: withChoices(text)
      .replace(/^error: /u, '')
      .trim()
      .replace('\n', ' '),
  };
}

/** A refused choice in the words of other mistakes: commander calls it an invalid command-argument value. */
function withChoices(text: string): string {
  const argument = /^error: command-argument value '(.*)' is invalid for argument '(.+)'\. Allowed choices are (.+)\.$/mu;
  const option = /^error: option '(?:-\w, )?(--[\w-]+).*' argument '(.*)' is invalid\. Allowed choices are (.+)\.$/mu;
  return text.replace(argument, 'error: $2: enter one of $3; found "$1"').replace(option, 'error: $1: enter one of $3; found "$2"');
}

/** The suggestion on the line of the error. */
function errorText(text: string, out: Terminal): string {
  return withChoices(text)
    .replace(/^error: /u, `${out.paint('red', 'error:')} `)
    .replace(/\n\((Did you mean .*\?)\)/u, '. $1');
}
