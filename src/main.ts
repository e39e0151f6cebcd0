import { statSync } from 'node:fs';
import { Command } from 'commander';
import project from '../package.json' with { type: 'json' };
import type { Explainer } from '#src/app/explain/open-explainer.ts';
import type { NewOptions } from '#src/cli/new.ts';
import { printFailure } from '#src/cli/print-failure.ts';
import { terminal } from '#src/cli/terminal.ts';
import { ConfigError } from '#src/errors.ts';

const LARGEST_DOT_ENV = 1_048_576;

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
    .description('Announcements for gaming and streaming communities: YAML rules, once and only once.')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /u, `${out.paint('red', 'error')} `)) })
    .showHelpAfterError('  add --help to see what it takes');

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
      const changes = async (): ReturnType<Explainer['changes']> => {
        const { openExplainer } = await import('#src/app/explain/open-explainer.ts');
        return openExplainer(process.env).changes();
      };
      process.exitCode = await check({ rules: openRules(process.env), paths, changes, out });
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
    .description('tell when a rule runs next, what it costs, what holds it back, and why it did or did not fire')
    .argument('<rule>', "the rule's id; of a rule with each, all its instances or one, as games/chess")
    .action(async (rule: string) => {
      const [{ explain }, { openExplainer }] = await Promise.all([
        import('#src/cli/explain.ts'),
        import('#src/app/explain/open-explainer.ts'),
      ]);
      process.exitCode = await explain({ explainer: openExplainer(process.env), rule, out });
    });

  fanfare
    .command('pause')
    .description('let a rule say nothing more until it is resumed; what is open is still edited and closed')
    .argument('<rule>', "the rule's id")
    .action(async (rule: string) => {
      const [{ pause }, { openExplainer }, { operatorName }] = await Promise.all([
        import('#src/cli/pause.ts'),
        import('#src/app/explain/open-explainer.ts'),
        import('#src/cli/operator-name.ts'),
      ]);
      process.exitCode = await pause({ explainer: openExplainer(process.env), rule, by: operatorName(), out });
    });

  fanfare
    .command('resume')
    .description('let a rule speak again that was paused, or whose fuse blew')
    .argument('<rule>', "the rule's id")
    .action(async (rule: string) => {
      const [{ resume }, { openExplainer }] = await Promise.all([
        import('#src/cli/resume.ts'),
        import('#src/app/explain/open-explainer.ts'),
      ]);
      process.exitCode = await resume({ explainer: openExplainer(process.env), rule, out });
    });

  fanfare
    .command('resolve')
    .description('say what became of a delivery that nobody knows the end of; without a delivery, list those that there are')
    .argument('[delivery]', 'as the list names it')
    .argument('[word]', 'sent: it is there; again: it is not, send it again')
    .action(async (delivery: string | undefined, word: string | undefined) => {
      const [{ resolve }, { openResolver }, { stepName }] = await Promise.all([
        import('#src/cli/resolve.ts'),
        import('#src/app/resolving/open-resolver.ts'),
        import('#src/app/step-name.ts'),
      ]);
      const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
      process.exitCode = await resolve({ resolver: openResolver(process.env), delivery, word, stepName, timezone, out });
    });

  fanfare
    .command('backup')
    .description('copy the state into a file, also while Fanfare runs')
    .argument('<file>', 'where the copy goes; a file that is there is replaced')
    .action(async (file: string) => {
      const [{ printBackup }, { backUp }] = await Promise.all([import('#src/cli/backup.ts'), import('#src/app/copies/back-up.ts')]);
      printBackup(await backUp({ environment: process.env, file }), out);
    });

  fanfare
    .command('restore')
    .description('put a copy in the place of the state; the next start looks on the platforms for what the copy does not know')
    .argument('<file>', 'what fanfare backup wrote')
    .action(async (file: string) => {
      const [{ printRestore }, { restore }] = await Promise.all([import('#src/cli/backup.ts'), import('#src/app/copies/restore.ts')]);
      printRestore(await restore({ environment: process.env, file }), out);
    });

  fanfare
    .command('preview')
    .description('show what a rule would say right now, everywhere it says something; reads everything and sends nothing')
    .argument('<rule>', "the rule's id")
    .option('--items <count>', 'of how many items', '3')
    .action(async (rule: string, { items }: { readonly items: string }) => {
      const [{ preview }, { openPreviewer }, { printProblem }] = await Promise.all([
        import('#src/cli/preview.ts'),
        import('#src/app.ts'),
        import('#src/rules/print-problem.ts'),
      ]);
      const open = (): ReturnType<typeof openPreviewer> =>
        openPreviewer({ environment: process.env, write: (line) => out.printError(line.trimEnd()) });
      process.exitCode = await preview({ openPreviewer: open, printProblem, rule, items, out });
    });

  fanfare
    .command('replay')
    .description('show what a rule, as its file is now, would have done with what was really seen')
    .argument('<rule>', "the rule's id")
    .option('--since <time>', 'how far back, as 7d or 12h', '7d')
    .action(async (rule: string, { since }: { readonly since: string }) => {
      const [{ replay }, { openReplayer }, { printProblem }] = await Promise.all([
        import('#src/cli/replay.ts'),
        import('#src/app/trial/replayer.ts'),
        import('#src/rules/print-problem.ts'),
      ]);
      process.exitCode = await replay({ replayer: openReplayer(process.env), printProblem, rule, since, nowMs: Date.now(), out });
    });

  fanfare
    .command('new')
    .description('write a rule and its tests: asks a few questions, or takes the answers as options')
    .option('--kind <kind>', 'what to watch: top, live, clips or posts; with it nothing is asked, and what is left out is as usual')
    .option('--game <name>', 'the game, for top and clips')
    .option('--channels <names>', 'the channels, for live, with commas between')
    .option('--user <handle>', 'whose posts, for posts')
    .option('--say <where>', 'discord, social or both')
    .option('--discord-channel <name>', 'where in Discord')
    .option('--every <time>', 'how often to look, as 5m')
    .option('--min <count>', 'how many viewers, or views of a clip, at least')
    .option('--take <places>', 'how many places of a top list')
    .option('--account <name>', 'the account that looks')
    .option('--id <id>', 'what the rule is called')
    .action(async (options: NewOptions) => {
      const [{ newRule }, { prompter }, { openDrafter }, { openRules }] = await Promise.all([
        import('#src/cli/new.ts'),
        import('#src/cli/prompter.ts'),
        import('#src/app/drafting/open-drafter.ts'),
        import('#src/app/open-rules.ts'),
      ]);
      using asking = prompter({ input: process.stdin, out });
      process.exitCode = await newRule({
        drafter: openDrafter(process.env),
        rules: openRules(process.env),
        options,
        prompter: asking,
        out,
      });
    });

  fanfare
    .command('schema')
    .description('print the JSON Schema of a rule file, for editors')
    .option('--config', 'of fanfare.yaml instead')
    .action(async ({ config }: { readonly config?: boolean }) => {
      const { openRules } = await import('#src/app/open-rules.ts');
      const { configSchema } = await import('#src/app/configuration/config-schema.ts');
      // Of fanfare.yaml also where there is one that cannot be used.
      out.print(JSON.stringify(config ? configSchema() : openRules(process.env).schema(), undefined, 2));
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
    .command('auth')
    .description('sign an account in: it walks you through, and keeps the tokens sealed')
    .argument('<account>', 'twitch, kick, x, bluesky or mastodon, or an account of fanfare.yaml')
    .option('--port <port>', 'where the browser is sent back to on this machine; X wants to know it', '8082')
    .action(async (account: string, { port }: { readonly port: string }) => {
      const [{ auth }, { portFrom }, { prompter }, { openSigningIn }, { NEEDS }, back] = await Promise.all([
        import('#src/cli/auth.ts'),
        import('#src/cli/numbers.ts'),
        import('#src/cli/prompter.ts'),
        import('#src/app.ts'),
        import('#src/app/signing-in/needs.ts'),
        import('#src/app/signing-in/returning.ts'),
      ]);
      const stopping = new AbortController();
      process.once('SIGINT', () => process.exit(130));
      using asking = prompter({ input: process.stdin, out, command: 'fanfare auth', hint: 'run it in a terminal', screen: process.stdout });
      process.exitCode = await auth({
        account,
        needs: NEEDS,
        open: (added) => openSigningIn({ environment: { ...process.env, ...added }, write: (line) => out.printError(line.trimEnd()) }),
        ...back.returningTo(portFrom(port)),
        prompter: asking,
        out,
        signal: stopping.signal,
      });
    });

  fanfare
    .command('doctor')
    .description('look at every account, right, channel and clock, and say what to do')
    .action(async () => {
      const [{ examine }, { openDoctor }] = await Promise.all([import('#src/cli/doctor.ts'), import('#src/app.ts')]);
      await using doctor = await openDoctor({ environment: process.env, write: (line) => out.printError(line.trimEnd()) });
      process.exitCode = await examine({ doctor, out, signal: new AbortController().signal });
    });

  fanfare
    .command('sandbox')
    .description('run the simulated platforms alone and print the environment that points Fanfare, or anyone, at them')
    .option('--port <port>', 'where it listens', '8081')
    .option('--seed <seed>', 'which world', '1')
    .action(async (options: { readonly port: string; readonly seed: string }) => {
      const [{ runSandbox }, { startSandbox }, { makeDataDirectory }] = await Promise.all([
        import('#src/cli/sandbox.ts'),
        import('#src/sandbox/index.ts'),
        import('#src/app/data-directory.ts'),
      ]);
      const dataDirectory = process.env['FANFARE_DATA'] || './data';
      await makeDataDirectory({ dataDirectory });
      await runSandbox({ startSandbox, dataDirectory, options, out });
    });

  fanfare
    .command('bench')
    .description('measure start, memory and speed, in a clone; takes minutes')
    .action(async () => {
      const [{ bench }, { fileURLToPath }] = await Promise.all([import('#src/cli/bench.ts'), import('node:url')]);
      process.exitCode = await bench(fileURLToPath(new URL('../bench/main.ts', import.meta.url)));
    });

  return fanfare;
}

/** A `.env` file beside the project, where there is one; what the environment says already stays. */
function loadDotEnv(): void {
  try {
    const found = statSync('.env');
    // A pipe would block, and a device may have no end.
    if (!found.isFile() || found.size > LARGEST_DOT_ENV) throw new Error('it is no regular file, or too large');
    process.loadEnvFile();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return;
    // Node says it of a folder, too.
    const hint = code === 'EACCES' ? 'this user may not read it' : 'is it a file of at most a megabyte, with lines as NAME=value?';
    throw new ConfigError('the file cannot be read', { file: '.env', hint });
  }
}
