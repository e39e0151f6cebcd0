import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import { RuleAnswer } from '#src/admin/queries/answers.ts';
import { PlanLineAnswer, toPlanLineAnswer } from '#src/admin/queries/plan-line-answer.ts';
import { DiagnosticAnswer } from '#src/admin/queries/diagnostic-answer.ts';
import { toRuleAnswer } from '#src/admin/queries/rule-answer.ts';
import type { FolderPlan, FolderRulePublisher, PublicationPlan } from '#src/engine/rule-sets/rule-publisher.ts';
import type { RuleVersion } from '#src/engine/rule-sets/rule-versions.ts';
import { formatDiagnostic } from '#src/rules/diagnostic.ts';
import { formatCount } from '#src/rules/messages/format.ts';
import { refuseOthers, type ActionArguments } from './action-arguments.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { nameOfActor } from '#src/admin/actions/actor.ts';
import type { Publication, VersionActions } from '#src/admin/actions/version-actions.ts';
import { localZone } from './local-zone.ts';
import { operator } from './operator.ts';
import { printPlanLines } from './print-plan-lines.ts';
import { printRules } from './print-rules.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('rules'), {
    group: 'operate',
    summary: 'List, publish and roll back rules',
    description: [
      'List all rules with their state, their schedule and their last decision: fanfare rules list.',
      'With DATABASE_URL, all processes run the version of the rules that was published last. Each publication is a new version.',
      'push: check the rules folder and publish it with its test files. With errors, nothing is published. versions: list the stored versions; Fanfare stores the last 50. rollback: publish an earlier version again (default: the version before).',
      'pull: write the rules that members approved in Discord into the rules folder. push keeps these rules until the folder has them. delete: publish a version without such a rule.',
      'All processes switch to the new version at once, without a restart. Files that rules attach, such as pictures, are not part of a version.',
    ],
    examples: [
      ['List all rules with their state', 'fanfare rules list'],
      ['Show what a publication changes', 'fanfare rules push --dry-run'],
      ['Publish the rules folder', 'fanfare rules push --by ci --note "$GIT_COMMIT"'],
      ['Publish the version before again', 'fanfare rules rollback'],
      ['Write approved rules into the rules folder', 'fanfare rules pull'],
      ['Delete a rule that was approved in Discord', 'fanfare rules delete chess-news'],
    ],
    exits: ['The action is done', 'The rules have errors, or the database cannot be used; nothing is published'],
  })
    .addArgument(new Argument('[action]', 'What to do').default('list').choices(['list', 'push', 'versions', 'rollback', 'pull', 'delete']))
    .argument('[target]', 'With rollback: number of the version. With delete: id of the rule')
    .addOption(new Option('--by <name>', 'Name of the publisher').default(nameOfActor(operator()), 'your user name'))
    .option('--note <text>', 'Note for the list of versions')
    .option('--dry-run', 'Only show what a publication changes');
  answering(command, {
    schema: RulesAnswer,
    out,
    async run(shown, action: Action, target: string | undefined, options: PublishOptions) {
      refuseOthers(command, action, TAKES[action]);
      const wrong = wrongTarget(action, target);
      if (wrong !== undefined) command.error(`error: ${wrong}`);
      if (action === 'list') return await list(shown);
      const { openRulePublisher } = await import('#src/app/open-rule-publisher.ts');
      await using publisher = await openRulePublisher(process.env);
      const parts = { publisher, out: shown };
      if (action === 'versions') return await listVersions(parts);
      if (action === 'push') return await push(options, parts);
      if (action === 'pull') return await pull(parts);
      if (action === 'delete') {
        const rule = target ?? '';
        const act: Publish = (more) => publisher.deleteRule({ rule, ...more }, operator());
        return await publish(await publisher.planDeletion(rule), act, { ...options, out: shown });
      }
      return await rollBack(target === undefined ? undefined : Number(target), options, parts);
    },
  });
}

type Action = 'list' | 'push' | 'versions' | 'rollback' | 'pull' | 'delete';

const PUBLISHING = ['--by', '--note', '--dry-run'];

const TAKES: Readonly<Record<Action, ActionArguments>> = {
  list: { most: 0 },
  push: { most: 0, options: PUBLISHING },
  versions: { most: 0 },
  rollback: { most: 1, options: PUBLISHING },
  pull: { most: 0 },
  delete: { most: 1, options: PUBLISHING },
};

const version = z.object({
  number: z.int().describe('The number. The newest version is in force.'),
  hash: z.string().describe('A hash of all files.'),
  publishedAt: z.date().describe('When it was published.'),
  by: z.string().describe('The person or the process that published it.'),
  note: z.string().optional().describe('The note of the publisher.'),
  repeats: z.int().optional().describe('The earlier version that a rollback repeats.'),
  approves: z.string().optional().describe('The rule that a member approved in Discord.'),
  files: z.int().describe('The number of files.'),
  added: z.int().describe('The number of new files.'),
  changed: z.int().describe('The number of changed files.'),
  deleted: z.int().describe('The number of deleted files.'),
});

const RulesAnswer = z.union([
  z.object({ rules: z.array(RuleAnswer).readonly().describe('All rules, and the files with errors.') }).describe('With `list`.'),
  z.object({ versions: z.array(version).readonly().describe('The stored versions, newest first.') }).describe('With `versions`.'),
  z.object({ written: z.array(z.string()).readonly().describe('The written files.') }).describe('With `pull`.'),
  z
    .object({
      outcome: z.enum(['published', 'same', 'dryRun', 'errors']).describe('`same`: the version in force has the same files.'),
      changes: z.array(PlanLineAnswer).readonly().describe('What the publication changes.'),
      inForce: version.optional().describe('The version in force after the command; absent if nothing was to be published.'),
      diagnostics: z.array(DiagnosticAnswer).readonly().describe('With `push`: the errors and warnings of the rules folder.'),
    })
    .describe('With `push`, `rollback` and `delete`.'),
]);

type RulesResult = Promise<Answer<z.input<typeof RulesAnswer>>>;

async function list(out: Terminal): RulesResult {
  const { openExplainer } = await import('#src/app/open-explainer.ts');
  const timezone = localZone();
  const rules = await openExplainer(process.env).list();
  printRules(rules, timezone, out);
  return { data: { rules: rules.map(toRuleAnswer) } };
}

/** What is wrong with the second argument. */
function wrongTarget(action: Action, target: string | undefined): string | undefined {
  if (action === 'delete') return target === undefined ? 'name the rule to delete' : undefined;
  return target === undefined || /^[1-9]\d{0,8}$/u.test(target) ? undefined : `${target} is not the number of a version`;
}

interface PublishOptions {
  readonly by: string;
  readonly note?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

interface RulesParts {
  readonly publisher: FolderRulePublisher & VersionActions;
  readonly out: Terminal;
}

/** Checks and publishes the rules folder. The exit code is 1 if nothing could be published. */
async function push(options: PublishOptions, { publisher, out }: RulesParts): RulesResult {
  const plan: FolderPlan = await publisher.planPush();
  for (const diagnostic of plan.diagnostics) out.print(`${formatDiagnostic(diagnostic, out)}\n`);
  if (plan.errors > 0) {
    out.print(`${formatCount(plan.files.length, 'file')}: ${out.paint('red', formatCount(plan.errors, 'error'))}. Nothing is published.`);
    return { data: { changes: [], outcome: 'errors', diagnostics: plan.diagnostics }, exitCode: 1 };
  }
  if (plan.kept.length > 0)
    out.print(`Kept, because members approved them in Discord: ${plan.kept.join(', ')}. To write them into the folder: fanfare rules pull`);
  const files = plan.files.filter(({ isApproved = false }) => !isApproved).map(({ file, source }) => ({ file, source }));
  const act: Publish = ({ after = 0, ...more }) => publisher.publishVersion({ files, after, ...more }, operator());
  return publish(plan, act, { ...options, out });
}

/** Writes approved rules into the rules folder. */
async function pull({ publisher, out }: RulesParts): RulesResult {
  const files = await publisher.pull();
  for (const file of files) out.print(`${out.paint('green', 'written')}   ${file}`);
  if (files.length === 0) out.print('The rules folder has all rules that members approved in Discord.');
  else out.print('Publish the folder, for example with fanfare rules push. From then on, the rules belong to the folder.');
  return { data: { written: files } };
}

/** Publishes an earlier version again. */
async function rollBack(number: number | undefined, options: PublishOptions, { publisher, out }: RulesParts): RulesResult {
  const plan = await publisher.planRollback(number);
  const { repeats: version = 0 } = plan;
  out.print(`Rollback to version ${version}`);
  return publish(plan, (more) => publisher.rollBackVersion({ version, ...more }, operator()), { ...options, out });
}

/** Publishes what a plan shows. */
type Publish = (more: {
  readonly after: number | undefined;
  readonly publisher: string;
  readonly note: string | undefined;
}) => Promise<Publication>;

async function publish(
  plan: PublicationPlan | FolderPlan,
  act: Publish,
  { by, note, dryRun = false, out }: PublishOptions & { readonly out: Terminal },
): RulesResult {
  const { lines } = plan;
  const changes = lines.map(toPlanLineAnswer);
  const diagnostics = 'diagnostics' in plan ? plan.diagnostics : [];
  printPlanLines(lines, out);
  if (dryRun) {
    out.print(lines.length === 0 ? 'No rule changes.' : 'Nothing is published (--dry-run).');
    return { data: { changes, outcome: 'dryRun', diagnostics } };
  }
  const { version: inForce, isNew } = await act({ after: plan.inForce?.number, publisher: by, note });
  if (isNew) out.print(`${out.paint('green', `Version ${inForce.number}`)} is in force: ${changesText(inForce)}.`);
  else out.print(`Version ${inForce.number} is in force and has the same files. Nothing is published.`);
  return { data: { changes, outcome: isNew ? 'published' : 'same', inForce, diagnostics } };
}

/** Prints the stored versions, newest first. */
async function listVersions({ publisher, out }: RulesParts): RulesResult {
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
  return { data: { versions } };
}

function changesText({ added, changed, deleted }: RuleVersion): string {
  const counts = [`${added} new`, `${changed} changed`, `${deleted} deleted`];
  return counts.filter((text) => !text.startsWith('0 ')).join(', ');
}
