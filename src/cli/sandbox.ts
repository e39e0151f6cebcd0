import type { Command } from 'commander';
import { join } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import { portFrom, wholeNumber } from './numbers.ts';
import { untilStopped } from './until-stopped.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `sandbox`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('sandbox')
    .description('run the simulated platforms alone and print the environment that points Fanfare, or anyone, at them')
    .option('--port <port>', 'where it listens', '8081')
    .option('--seed <seed>', 'which world', '1')
    .action(async (options: { readonly port: string; readonly seed: string }) => {
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

export interface RunSandboxOptions {
  readonly startSandbox: (options: {
    readonly port: number;
    readonly seed: number;
    readonly file: string;
    readonly lively: boolean;
  }) => Promise<SandboxServer>;
  /** Where it keeps what is written to it: `FANFARE_DATA`. */
  readonly dataDirectory: string;
  readonly options: { readonly port: string; readonly seed: string };
  readonly out: Terminal;
}

/** Why nothing can listen on a port. */
const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
};

/** Runs the sandbox until the process is asked to stop; prints the environment that points Fanfare at it. */
export async function runSandbox({ startSandbox: begin, dataDirectory, options, out }: RunSandboxOptions): Promise<void> {
  const port = portFrom(options.port);
  const seed = wholeNumber('--seed', options.seed);
  await using sandbox = await begin({ port, seed, file: join(dataDirectory, 'sandbox.sqlite'), lively: true }).catch((error: unknown) => {
    const why = error instanceof Error && 'code' in error ? WHY[String(error.code)] : undefined;
    if (why === undefined) throw error;
    throw new ConfigError(`port ${port} ${why}`, { file: '--port', hint: 'name another one: fanfare sandbox --port 8091' });
  });
  for (const [name, value] of Object.entries(sandbox.environment)) out.print(`${name}=${value}`);
  for (const [platform, variables] of Object.entries(sandbox.onRequest)) {
    out.print(out.paint('dim', `# ${platform}, for whoever asks:`));
    for (const [name, value] of Object.entries(variables)) out.print(`# ${name}=${value}`);
  }
  out.print(out.paint('dim', `# the world as it is: ${sandbox.url}/control/events`));
  await untilStopped();
}
