import { join } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import type { startSandbox } from '#src/sandbox/index.ts';
import { portFrom, wholeNumber } from './numbers.ts';
import { untilStopped } from './until-stopped.ts';
import type { Terminal } from './terminal.ts';

export interface RunSandboxOptions {
  readonly startSandbox: typeof startSandbox;
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
