import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { printFailure } from '#src/cli/print-failure.ts';
import { COMMAND_NAMES, program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';
import { textOfDotEnv } from '#src/config/dot-env-lines.ts';
import { codeOf, ConfigError } from '#src/errors.ts';

const LARGEST_DOT_ENV = 1_048_576;

/** Runs the command in `argv` and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const out = terminal(process, COMMAND_NAMES);
  const json = argv.includes('--json');
  process.once('uncaughtException', (error) => {
    process.exit(printFailure(error, out, { json }));
  });
  try {
    loadDotEnv();
    await (await program(argv, out)).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = printFailure(error, out, { json });
  }
}

/** Loads the `.env` file of the working directory, if there is one. Variables of the environment take precedence. */
function loadDotEnv(): void {
  try {
    const found = statSync('.env');
    // A pipe would block, and a device may have no end.
    if (!found.isFile() || found.size > LARGEST_DOT_ENV) throw new Error('not a regular file, or too large');
    for (const [name, value] of Object.entries(parseEnv(textOfDotEnv(readFileSync('.env'))))) process.env[name] ??= value;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return;
    const hint =
      code === 'EACCES'
        ? 'this user has no permission to read it: run the command as its owner, or give the file to the user of Fanfare: sudo chown fanfare .env'
        : 'it must be a file of at most 1 MB with lines as NAME=value';
    throw new ConfigError('the file cannot be read', { file: '.env', hint });
  }
}
