import type { Command } from 'commander';
import { join } from 'node:path';
import { codeOf, ConfigError } from '#src/errors.ts';
import { document } from './document.ts';
import { parsePort, parseWholeNumber } from './option-values.ts';
import { untilStopped, type Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  document(program.command('sandbox'), {
    group: 'run',
    summary: 'Run only the simulated platforms',
    description: [
      'Run the simulated platforms without rules, and print the environment variables that connect Fanfare or another client to them.',
      'fanfare start runs the sandbox itself if no account is configured. Run it separately to control it through its API, or to test other software.',
    ],
    examples: [
      ['Run the sandbox, and save the variables', 'fanfare sandbox > sandbox.env'],
      ['Without a .env: connect Fanfare in another terminal to all platforms', 'fanfare sandbox --all > .env'],
      ['Use another port and another simulated world', 'fanfare sandbox --port 9081 --seed 7'],
    ],
    exits: ['The sandbox was stopped with Ctrl+C or SIGTERM', 'The sandbox could not start, or failed'],
  })
    .option('--port <port>', 'Port to listen on; 0 for any free port', '8081')
    .option('--seed <seed>', 'Seed of the simulated world, a whole number', '1')
    .option('--all', 'Also connect X, Mastodon, Bluesky and YouTube. Without it, their variables are comments')
    .action(async (options: RunSandboxOptions['options']) => {
      const [{ startSandbox }, { makeDataDirectory }] = await Promise.all([
        import('#sandbox/index.ts'),
        import('#src/config/data-directory.ts'),
      ]);
      const dataDirectory = process.env['FANFARE_DATA'] || './data';
      await makeDataDirectory({ dataDirectory });
      await runSandbox({ startSandbox, dataDirectory, options, out });
    });
}

/** The running sandbox. */
interface SandboxServer extends AsyncDisposable {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The variables of platforms that run only on request, by platform. */
  readonly onRequest: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface RunSandboxOptions {
  readonly startSandbox: (options: {
    readonly port: number;
    readonly seed: number;
    readonly file: string;
    readonly lively: boolean;
  }) => Promise<SandboxServer>;
  /** The folder for the posts and messages that are written to the sandbox: `FANFARE_DATA`. */
  readonly dataDirectory: string;
  readonly options: { readonly port: string; readonly seed: string; readonly all?: boolean | undefined };
  readonly out: Terminal;
}

/** Why the sandbox cannot listen on a port, by error code. */
const PORT_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use by another program',
  EACCES: 'needs permissions that this user does not have',
};

/** Prints the environment variables that point to the sandbox and runs it until the process is asked to stop. */
async function runSandbox({ startSandbox: begin, dataDirectory, options, out }: RunSandboxOptions): Promise<void> {
  const port = parsePort(options.port);
  const seed = parseWholeNumber('--seed', options.seed);
  await using sandbox = await begin({ port, seed, file: join(dataDirectory, 'sandbox.sqlite'), lively: true }).catch((error: unknown) => {
    const why = PORT_ERRORS[codeOf(error) ?? ''];
    if (why === undefined) throw error;
    throw new ConfigError(`port ${port} ${why}`, { file: '--port', hint: 'use another port: fanfare sandbox --port 8091' });
  });
  // Before the first line: a script may stop the sandbox as soon as it has the variables.
  const stopped = untilStopped();
  printVariables(sandbox, { all: options.all ?? false, out });
  out.print(out.paint('dim', `# Events of the simulated world: ${sandbox.url}/control/events`));
  await stopped;
}

/** Prints the variables of the platforms. Those of platforms on request are comments, except with `all`. */
export function printVariables(
  { environment, onRequest }: Pick<SandboxServer, 'environment' | 'onRequest'>,
  { all, out }: { readonly all: boolean; readonly out: Terminal },
): void {
  for (const [name, value] of Object.entries(environment)) out.print(`${name}=${value}`);
  for (const [platform, variables] of Object.entries(onRequest)) {
    if (!all) out.print(out.paint('dim', `# To use ${platform}:`));
    for (const [name, value] of Object.entries(variables)) out.print(`${all ? '' : '# '}${name}=${value}`);
  }
}
