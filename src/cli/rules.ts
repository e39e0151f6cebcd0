import { Argument, Option, type Command } from 'commander';
import type { FolderPlan, FolderRulePublisher, PublicationPlan } from '#src/registry/rule-publisher.ts';
import type { RuleVersion } from '#src/registry/rule-versions.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { document } from './document.ts';
import { operatorName } from './operator-name.ts';
import { printPlanLines } from './print-plan-lines.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `rules`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('rules'), {
    group: 'operate',
    summary: 'Publish, list and roll back the rules of several machines',
    description: [
      'With DATABASE_URL, all processes run the version of the rules that was published last. Each publication is a new version.',
      'push: check the rules folder and publish it with its test files. With errors, nothing is published. list: list the stored versions; Fanfare stores the last 50. rollback: publish an earlier version again (default: the version before).',
      'pull: write the rules that members approved in Discord into the rules folder. push keeps these rules until the folder has them. delete: publish a version without such a rule.',
      'All processes switch to the new version at once, without a restart. Files that rules attach, such as pictures, are not part of a version.',
    ],
    examples: [
      ['Show what a publication changes', 'fanfare rules push --dry-run'],
      ['Publish the rules folder', 'fanfare rules push --by ci --note "$GIT_COMMIT"'],
      ['Publish the version before again', 'fanfare rules rollback'],
      ['Write approved rules into the rules folder', 'fanfare rules pull'],
      ['Delete a rule that was approved in Discord', 'fanfare rules delete chess-news'],
    ],
    exits: ['The action is done', 'The rules have errors, or the database cannot be used; nothing is published'],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(['push', 'list', 'rollback', 'pull', 'delete']))
    .argument('[target]', 'With rollback: number of the version. With delete: id of the rule')
    .addOption(new Option('--by <name>', 'Name of the publisher').default(operatorName(), 'your user name'))
    .option('--note <text>', 'Note for the list of versions')
    .option('--dry-run', 'Only show what a publication changes')
    .action(async (action: Action, target: string | undefined, options: PublishOptions, command: Command) => {
      const wrong = wrongTarget(action, target);
      if (wrong !== undefined) command.error(`error: ${wrong}`);
      const { openRulePublisher } = await import('#src/app/open-rule-publisher.ts');
      await using publisher = await openRulePublisher(process.env);
      const parts = { publisher, out };
      if (action === 'list') await listVersions(parts);
      else if (action === 'push') process.exitCode = await push(options, parts);
      else if (action === 'pull') await pull(parts);
      else if (action === 'delete') process.exitCode = await publish(await publisher.planDeletion(target ?? ''), options, parts);
      else process.exitCode = await rollBack(target === undefined ? undefined : Number(target), options, parts);
    });
}

type Action = 'push' | 'list' | 'rollback' | 'pull' | 'delete';

/** What is wrong with the second argument. */
function wrongTarget(action: Action, target: string | undefined): string | undefined {
  if (action === 'delete') return target === undefined ? 'name the rule to delete' : undefined;
  if (target === undefined) return undefined;
  if (action !== 'rollback') return `${action} takes no second argument`;
  return /^[1-9]\d{0,8}$/u.test(target) ? undefined : `${target} is not the number of a version`;
}

interface PublishOptions {
  readonly by: string;
  readonly note?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

interface RulesParts {
  readonly publisher: FolderRulePublisher;
  readonly out: Terminal;
}

/** Checks and publishes the rules folder. Returns the exit code: 1 if nothing could be published. */
async function push(options: PublishOptions, { publisher, out }: RulesParts): Promise<number> {
  const plan: FolderPlan = await publisher.planPush();
  for (const diagnostic of plan.diagnostics) out.print(`${formatDiagnostic(diagnostic, out)}\n`);
  if (plan.errors > 0) {
    out.print(`${plural(plan.files.length, 'file')}: ${out.paint('red', plural(plan.errors, 'error'))}. Nothing is published.`);
    return 1;
  }
  if (plan.kept.length > 0)
    out.print(`Kept, because members approved them in Discord: ${plan.kept.join(', ')}. To write them into the folder: fanfare rules pull`);
  return publish(plan, options, { publisher, out });
}

/** Writes approved rules into the rules folder. */
async function pull({ publisher, out }: RulesParts): Promise<void> {
  const files = await publisher.pull();
  for (const file of files) out.print(`${out.paint('green', 'written')}   ${file}`);
  if (files.length === 0) out.print('The rules folder has all rules that members approved in Discord.');
  else out.print('Publish the folder, for example with fanfare rules push. From then on, the rules belong to the folder.');
}

/** Publishes an earlier version again. Returns the exit code. */
async function rollBack(number: number | undefined, options: PublishOptions, { publisher, out }: RulesParts): Promise<number> {
  const plan = await publisher.planRollback(number);
  out.print(`Rollback to version ${plan.repeats}`);
  return publish(plan, options, { publisher, out });
}

async function publish(
  plan: PublicationPlan,
  { by, note, dryRun = false }: PublishOptions,
  { publisher, out }: RulesParts,
): Promise<number> {
  printPlanLines(plan.lines, out);
  if (dryRun) {
    out.print(plan.lines.length === 0 ? 'No rule changes.' : 'Nothing is published (--dry-run).');
    return 0;
  }
  const { kind, version } = await publisher.publish(plan, { by, note });
  if (kind === 'published') out.print(`${out.paint('green', `Version ${version.number}`)} is in force: ${changesText(version)}.`);
  if (kind === 'same') out.print(`Version ${version.number} is in force and has the same files. Nothing is published.`);
  if (kind === 'overtaken')
    out.printError(`${version.by} published version ${version.number} at the same time. Nothing is published: run the command again.`);
  return kind === 'overtaken' ? 1 : 0;
}

/** Prints the stored versions, newest first. */
async function listVersions({ publisher, out }: RulesParts): Promise<void> {
  const versions = await publisher.list();
  if (versions.length === 0) out.print('No rules are published. To publish the rules folder: fanfare rules push');
  for (const [index, version] of versions.entries()) {
    const { number, publishedAt, by, note, repeats, approves } = version;
    const sign = index === 0 ? out.paint('green', '*') : ' ';
    const at = publishedAt.toISOString().replace(/\.\d+Z$/u, 'Z');
    const why = [
      ...(repeats === undefined ? [] : [`repeats version ${repeats}`]),
      ...(approves === undefined ? [] : [`approved ${approves} in Discord`]),
    ];
    const parts = [`${at}  ${by}`, changesText(version), ...why];
    out.print(`${sign} ${String(number).padStart(4)}  ${parts.join('; ')}${note === undefined ? '' : `; ${note}`}`);
  }
  if (versions.length > 0) out.print('\n* in force');
}

function changesText({ added, changed, deleted }: RuleVersion): string {
  const counts = [`${added} new`, `${changed} changed`, `${deleted} deleted`];
  return counts.filter((text) => !text.startsWith('0 ')).join(', ');
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
