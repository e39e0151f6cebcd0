import { ConfigError } from '#src/errors.ts';
import type { startSandbox } from '#src/sandbox/index.ts';
import { untilStopped } from './until-stopped.ts';
import type { Terminal } from './terminal.ts';

export interface RunSandboxOptions {
  readonly startSandbox: typeof startSandbox;
  readonly options: { readonly port: string; readonly seed: string };
  readonly out: Terminal;
}

/** Runs the sandbox until the process is asked to stop; prints the environment that points Fanfare at it. */
export async function runSandbox({ startSandbox: begin, options, out }: RunSandboxOptions): Promise<void> {
  await using sandbox = await begin({ port: wholeNumber('--port', options.port), seed: wholeNumber('--seed', options.seed) });
  for (const [name, value] of Object.entries(sandbox.environment)) out.print(`${name}=${value}`);
  out.print(out.paint('dim', `# the world as it is: ${sandbox.url}/control/events`));
  await untilStopped();
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new ConfigError(`${text} is not a whole number`, { file: name });
}
