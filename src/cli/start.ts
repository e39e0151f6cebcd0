import { Option, type Command } from 'commander';
import type { FirstRun } from '#src/admin/access/access.ts';
import { FEW_OFF_RULES, NO_RULES_HINT, offRuleLines, type OffRule } from '#src/rules/messages/off-rules.ts';
import { document } from './document.ts';
import { printWarnings } from './print-warnings.ts';
import { untilStopped, type Terminal } from './terminal.ts';

/** How long the process keeps running after all parts have stopped. */
const LONGEST_EXIT_MS = 500;

export function declare(program: Command, out: Terminal): void {
  document(program.command('start'), {
    group: 'run',
    summary: 'Run the rules',
    description: [
      'Run the rules, the page and the Discord bot until the process is stopped.',
      'Without accounts, Fanfare runs on the sandbox: simulated platforms on this machine. With accounts, it announces on the real platforms.',
      'With DATABASE_URL, several processes share one state in PostgreSQL. The role worker runs rules and sends, gateway answers in Discord, and web serves the page and takes interactions over HTTP.',
      'Fanfare loads changed rule files while it runs. After a change of .env or fanfare.yaml, restart it. PORT and HOST set the address of the page (default: 127.0.0.1:8080), and FANFARE_DATA the folder of the state (default: ./data).',
    ],
    examples: [
      ['Run the rules in ./rules', 'fanfare start'],
      ['Use another port for the page, and log more', 'PORT=9000 LOG_LEVEL=debug fanfare start'],
    ],
    exits: ['Fanfare was stopped with Ctrl+C or SIGTERM', 'Fanfare could not start, or failed'],
  })
    .option('--build', 'Build first, if the sources have changed since the last build')
    .addOption(
      new Option('--role <role>', 'The part of the work that this process does')
        .choices(['all', 'worker', 'gateway', 'web'])
        .default('all'),
    )
    .action(async ({ role }: { readonly role: 'all' | 'worker' | 'gateway' | 'web' }) => {
      const [{ startApp }, { environmentWarnings }] = await Promise.all([
        import('#src/app/app.ts'),
        import('#src/app/environment-warnings.ts'),
      ]);
      printWarnings(environmentWarnings(process.env), out);
      try {
        await start({ startApp: (options) => startApp({ ...options, role, dedicatedProcess: true }), environment: process.env, out });
      } finally {
        // discord.js leaves a WebSocket open that it closed while it connected, which would keep the process running.
        setTimeout(() => process.exit(), LONGEST_EXIT_MS).unref();
      }
    });
}

/** The running process. */
interface RunningApp extends AsyncDisposable {
  /** The address of the page. */
  readonly url: string;
  /** `inside`: the process runs the sandbox; `outside`: the sandbox is another process; `beside`: so is it, and other accounts are real. */
  readonly sandbox: 'inside' | 'outside' | 'beside' | 'none';
  /** The address of the sandbox in this process. */
  readonly sandboxUrl?: string | undefined;
  /** How the first admin is created; absent if people can sign in. */
  readonly firstRun?: FirstRun | undefined;
  /** The ids of the running rules. */
  readonly rules: readonly string[];
  readonly off: readonly OffRule[];
  /** The rule files with errors. */
  readonly out: readonly { readonly file: string; readonly errors: number; readonly keepsRunning: boolean }[];
  /** The formatted diagnostics of the rule files. */
  readonly diagnostics: readonly string[];
  /** Reloads the rules; resolves with whether something changed; undefined: they cannot be read. */
  readonly reload: () => Promise<boolean | undefined>;
  /** Resolves when the clock was set back. Rejects with `ConfigError` if a newer Fanfare migrated the database. */
  readonly clockSetBack: Promise<void>;
}

export interface StartOptions {
  readonly startApp: (options: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly write: (line: string) => void;
    readonly color: boolean;
    /** Ends the start. */
    readonly signal: AbortSignal;
  }) => Promise<RunningApp>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: Terminal;
  /** Resolves when the process is asked to stop. */
  readonly untilStopped?: (() => Promise<void>) | undefined;
}

/** Runs Fanfare until the process is asked to stop. If the clock is set back, Fanfare restarts in this process. */
export async function start({
  startApp: begin,
  environment,
  out,
  untilStopped: wait = () => untilStopped({ isLog: true }),
}: StartOptions): Promise<void> {
  let running: RunningApp | undefined;
  // Before the first line: a supervisor may react to it, and a start may wait for its database.
  const stopped = wait().then(() => 'stop' as const);
  for (let next: 'stop' | 'restart' = 'restart'; next === 'restart';) {
    const ending = new AbortController();
    const begun = begin({ environment, color: out.color, write: (line) => out.print(line.trimEnd()), signal: ending.signal });
    const first = await Promise.race([begun, stopped]);
    if (first === 'stop') {
      out.print(out.paint('dim', 'stopping'));
      // Otherwise, the start could begin to send, and the end of the process would cut it off.
      ending.abort();
      begun.then((late) => late[Symbol.asyncDispose]()).catch(() => undefined);
      return;
    }
    await using app = first;
    for (const diagnostic of app.diagnostics) out.printError(`${diagnostic}\n`);
    for (const line of summary(app, out)) out.print(line);
    if (!running && process.platform !== 'win32')
      process.on('SIGHUP', () => void running?.reload().then((isOther) => printReload(isOther, out)));
    running = app;
    next = await Promise.race([stopped, app.clockSetBack.then(() => 'restart' as const)]);
    if (next === 'stop') out.print(out.paint('dim', 'stopping'));
  }
}

/** Prints the result of a reload that changed nothing. The log names an outage of the rules only once. */
function printReload(isOther: boolean | undefined, out: Terminal): void {
  if (isOther === undefined) out.printError('the rules cannot be read: all rules keep running');
  else if (!isOther) out.print('no rule has changed');
}

const MOST_RULES = 30;

const SANDBOX_TEXTS: Readonly<Record<RunningApp['sandbox'], string>> = {
  inside: 'runs on the sandbox: no account is used, nothing leaves this machine',
  outside: 'runs on a separate sandbox: no real account is used',
  beside: 'runs on a sandbox and on real accounts, to which it sends what the sandbox simulates',
  none: 'runs on real accounts',
};

function summary({ url, rules, off, out: left, sandbox, sandboxUrl, firstRun }: RunningApp, out: Terminal): readonly string[] {
  return [
    '',
    `  ${out.paint('bold', 'Fanfare')} ${SANDBOX_TEXTS[sandbox]}`,
    `  ${out.paint('cyan', url)}`,
    ...(sandboxUrl === undefined ? [] : [`  ${out.paint('cyan', `${sandboxUrl}/discord/view/general`)}  the simulated Discord`]),
    ...(firstRun === undefined ? [] : firstRunLines(firstRun, out)),
    '',
    `  rules: ${rulesText(rules)}`,
    ...(rules.length + off.length + left.length === 0 ? [`  ${NO_RULES_HINT}`] : []),
    ...offRuleLines(off, FEW_OFF_RULES).map((line) => out.paint(rules.length === 0 ? 'yellow' : 'dim', `  ${line}`)),
    ...left.map(({ file, errors, keepsRunning }) => {
      const count = `${errors} ${errors === 1 ? 'error' : 'errors'}, see above`;
      return keepsRunning
        ? out.paint('yellow', `  not reloaded: ${file} (${count})`)
        : out.paint('red', `  not loaded: ${file} (${count})`);
    }),
    '',
  ];
}

function firstRunLines({ text }: FirstRun, out: Terminal): readonly string[] {
  return [
    '',
    ...(text === undefined
      ? [
          '  No one can sign in yet. Another process printed a token for the page /sign-in/first-run, which is valid for an hour after its start.',
        ]
      : [
          '  No one can sign in yet. Create the first admin on the page /sign-in/first-run with this token, which is valid for an hour:',
          `  ${out.paint('bold', text)}`,
        ]),
    '  Or create a user here: fanfare user add <name> --role admin',
  ];
}

/** The ids of the rules that run. An installation can have thousands. */
function rulesText(rules: readonly string[]): string {
  if (rules.length === 0) return 'none';
  const more = rules.length - MOST_RULES;
  return rules.slice(0, MOST_RULES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
