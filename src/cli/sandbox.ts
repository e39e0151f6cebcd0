import { join } from 'node:path';
import { ConfigError } from '#src/errors.ts';
import type { startSandbox } from '#src/sandbox/index.ts';
import { untilStopped } from './until-stopped.ts';
import type { Terminal } from './terminal.ts';

const MOST_PORT = 65_535;

export interface RunSandboxOptions {
  readonly startSandbox: typeof startSandbox;
  /** Where it keeps what is written to it: `FANFARE_DATA`. */
  readonly dataDirectory: string;
  readonly options: { readonly port: string; readonly seed: string };
  readonly out: Terminal;
}

/** Runs the sandbox until the process is asked to stop; prints the environment that points Fanfare at it. */
export async function runSandbox({ startSandbox: begin, dataDirectory, options, out }: RunSandboxOptions): Promise<void> {
  await using sandbox = await begin({
    port: wholeNumber('--port', options.port, MOST_PORT),
    seed: wholeNumber('--seed', options.seed),
    file: join(dataDirectory, 'sandbox.sqlite'),
    lively: true,
  });
  for (const [name, value] of Object.entries(sandbox.environment)) out.print(`${name}=${value}`);
  for (const [platform, variables] of Object.entries(sandbox.onRequest)) {
    out.print(out.paint('dim', `# ${platform}, for whoever asks:`));
    for (const [name, value] of Object.entries(variables)) out.print(`# ${name}=${value}`);
  }
  out.print(out.paint('dim', `# the world as it is: ${sandbox.url}/control/events`));
  await untilStopped();
}

function wholeNumber(name: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new ConfigError(`${text} is not a whole number`, { file: name });
  if (number > most) throw new ConfigError(`${text} is too large: at most ${most}`, { file: name });
  return number;
}
