import { Command } from 'commander';
import project from '../package.json' with { type: 'json' };
import { printFailure } from '#src/cli/print-failure.ts';
import { terminal } from '#src/cli/terminal.ts';

/** Runs the command that the arguments name; sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const out = terminal(process);
  try {
    loadDotEnv();
    await program(out).parseAsync([...argv]);
  } catch (error) {
    printFailure(error, out);
    process.exitCode = 1;
  }
}

/** The commands; each loads what it needs when it is called, so that none waits for another's libraries. */
function program(out: ReturnType<typeof terminal>): Command {
  const fanfare = new Command('fanfare')
    .version(project.version)
    .description('Announcements for gaming and streaming communities: YAML rules, once and only once.');

  fanfare
    .command('start')
    .description('run the rules; without any account, on the sandbox')
    .action(async () => {
      const [{ start }, { startApp }] = await Promise.all([import('#src/cli/start.ts'), import('#src/app.ts')]);
      await start({ startApp, environment: process.env, out });
    });

  fanfare
    .command('check')
    .description('tell every mistake in rule files')
    .argument('[paths...]', 'files or folders; all rules where there is none')
    .action(async (paths: string[]) => {
      const [{ check }, { openRules }] = await Promise.all([import('#src/cli/check.ts'), import('#src/app/open-rules.ts')]);
      process.exitCode = await check({ rules: openRules(process.env), paths, out });
    });

  fanfare
    .command('test')
    .description('run the tests beside rule files, on a simulated clock and without any network')
    .argument('[paths...]', 'rule files, test files or folders; all rules where there is none')
    .action(async (paths: string[]) => {
      const [{ test }, { openRules }] = await Promise.all([import('#src/cli/test.ts'), import('#src/app/open-rules.ts')]);
      process.exitCode = await test({ rules: openRules(process.env), paths, out });
    });

  fanfare
    .command('explain')
    .description('tell when a rule runs next, what it costs, and why it did or did not fire')
    .argument('<rule>', "the rule's id")
    .action(async (rule: string) => {
      const [{ explain }, { openRules }] = await Promise.all([import('#src/cli/explain.ts'), import('#src/app/open-rules.ts')]);
      process.exitCode = await explain({ rules: openRules(process.env), rule, out });
    });

  fanfare
    .command('schema')
    .description('print the JSON Schema of a rule file, for editors')
    .action(async () => {
      const { openRules } = await import('#src/app/open-rules.ts');
      out.print(JSON.stringify(openRules(process.env).schema(), undefined, 2));
    });

  fanfare
    .command('capabilities')
    .description('tell what each adapter can do, what not and why, and what to do instead')
    .argument('[adapter]', 'one alone, as twitch')
    .action(async (adapter: string | undefined) => {
      const [{ capabilities }, { capabilityTables }] = await Promise.all([
        import('#src/cli/capabilities.ts'),
        import('#src/app/capability-tables.ts'),
      ]);
      process.exitCode = capabilities({ tables: capabilityTables, adapter, out });
    });

  fanfare
    .command('sandbox')
    .description('run the simulated platforms alone and print the environment that points Fanfare, or anyone, at them')
    .option('--port <port>', 'where it listens', '8081')
    .option('--seed <seed>', 'which world', '1')
    .action(async (options: { readonly port: string; readonly seed: string }) => {
      const [{ runSandbox }, { startSandbox }] = await Promise.all([import('#src/cli/sandbox.ts'), import('#src/sandbox/index.ts')]);
      await runSandbox({ startSandbox, dataDirectory: process.env['FANFARE_DATA'] || './data', options, out });
    });

  return fanfare;
}

/** A `.env` file beside the project, where there is one; what the environment says already stays. */
function loadDotEnv(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!absent) throw error;
  }
}
