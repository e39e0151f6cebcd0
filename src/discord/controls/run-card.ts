import type { MessageComponentInteraction } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import type { RuleExplanation } from '#src/admin/queries/records.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import { operatorOf } from '#src/discord/actor.ts';
import { UserError } from '#src/errors.ts';
import type { TestRun } from '#src/engine/simulation/rule-files.ts';
import { allSteps, type Rule } from '#src/rules/rule.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import { button, rows } from '#src/discord/components.ts';
import { REMEMBERED_MS, type HandledEvents } from '#src/discord/handled-events.ts';
import { embedReply, type Reply } from '#src/discord/reply.ts';
import { numeral } from '#src/discord/text/format.ts';
import { codeBlock, escaped } from '#src/discord/text/untrusted-text.ts';
import { shortId } from './find-rule.ts';
import { decisionLine, diagnosticLine, fitted, scheduleLine } from './lines.ts';

const MAX_DESCRIPTION = 4_000;
const MAX_FAILURE = 2_500;
const MAX_DIAGNOSTICS = 1_000;
const SHOWN_DECISIONS = 10;

/** Asks whether to run a rule, and names the accounts through which it can post. Throws if only a command or a webhook runs it. */
export function runQuestion({ rule, paused }: RuleExplanation, reader: Reader): Reply {
  const { running, buttons, errors } = reader.texts.controls;
  if (rule.command || rule.webhook) throw new UserError(errors.onlyRuns(scheduleLine(rule.schedule, reader)));
  const accounts = writingAccounts(rule);
  const about = paused ? running.paused : accounts !== '' && running.speaks(accounts);
  return {
    content: [running.question(escaped(rule.id, 100)), about].filter(Boolean).join('\n'),
    components: rows([
      button(`automation:run:${shortId(rule.id)}`, buttons.run, { style: 'danger' }),
      button('automation:leave', buttons.leave),
    ]),
  };
}

/** Closes the question whether to run a rule. Throws if a click closed it, at any process, or if it is old. */
export async function closeRunQuestion(
  { message }: MessageComponentInteraction,
  { texts }: Caller,
  { handled, clock }: { readonly handled: HandledEvents; readonly clock: Clock },
): Promise<void> {
  const isOld = clock.nowMs() - message.createdTimestamp > REMEMBERED_MS;
  if (isOld || !(await handled.claim(`question ${message.id}`))) throw new UserError(texts.controls.errors.runPassed);
}

function writingAccounts(rule: Rule): string {
  const writes = allSteps(rule).filter((step) => catalogue.get(step.do)?.kind === 'write');
  return [...new Set(writes.flatMap(({ as }) => as))].map((account) => escaped(account, 60)).join(', ');
}

/** Runs a rule. Shows its decisions, and how many steps it committed. */
export async function runCard(controls: Actions, rule: string, caller: Caller): Promise<Reply> {
  const { running, errors } = caller.texts.controls;
  const name = escaped(rule, 100);
  const result = await controls.runRule({ rule }, operatorOf(caller), caller.signal);
  if (!result) throw new UserError(errors.notRun(name));
  const { decisions, firings } = result;
  const steps = firings.reduce((sum, firing) => sum + firing.steps.length, 0);
  const lines = decisions.slice(0, SHOWN_DECISIONS).map((decision) => decisionLine(decision, caller));
  const more = decisions.length - lines.length;
  if (more > 0) lines.push(running.more(numeral(more, caller)));
  return {
    content: running.done(name, numeral(steps, caller)),
    embeds: lines.length === 0 ? [] : [{ description: fitted(lines, MAX_DESCRIPTION, caller) }],
    components: [],
  };
}

/** The result of the tests beside the file of a rule, with the first failure. */
export function testCard(rule: string, { diagnostics, untested, cases }: TestRun, reader: Reader): Reply {
  const { testing } = reader.texts.controls;
  const failed = cases.filter(({ passed }) => !passed);
  const isGood = failed.length + diagnostics.length === 0;
  const counts = `${isGood ? '✅' : '❌'} ${testing.passed(numeral(cases.length - failed.length, reader))}, ${testing.failed(numeral(failed.length, reader))}`;
  const [first] = failed;
  const lines = [
    ...(diagnostics.length > 0 ? [testing.broken, fitted(diagnostics.map(diagnosticLine), MAX_DIAGNOSTICS, reader)] : []),
    ...(untested.length > 0 ? [testing.none] : diagnostics.length > 0 ? [] : [counts]),
    ...(first ? [testing.first, codeBlock(first.print({ color: false, messages: testing.ofCase }), MAX_FAILURE)] : []),
  ];
  return embedReply({ title: testing.title(escaped(rule, 200)), description: lines.join('\n') });
}
