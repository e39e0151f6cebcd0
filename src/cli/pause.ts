import type { Command } from 'commander';
import { z } from 'zod';
import { ChangedRules } from '#src/admin/queries/action-answers.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { ExplainOptions } from './explain.ts';
import { instantText } from './format.ts';
import { operator } from './operator.ts';
import type { Terminal } from './terminal.ts';
import { typedTime } from './typed-time.ts';
import { unknownRule } from './unknown-rule.ts';

/** Declares the commands `pause` and `resume`. */
export function declare(program: Command, out: Terminal): void {
  const pausing = document(program.command('pause'), {
    group: 'operate',
    summary: 'Stop new announcements of a rule',
    description: [
      'Stop new announcements of a rule until you resume it, or until a time. Fanfare still updates and closes cards that are open.',
      'The pause applies at once, and it outlasts a restart. Announcements that the pause prevents are not sent later.',
    ],
    examples: [
      ['Pause a rule', 'fanfare pause live-card'],
      ['Pause a rule until tomorrow', 'fanfare pause live-card --until "tomorrow 9:00"'],
      ['Pause one instance of a rule', 'fanfare pause games/chess'],
    ],
    exits: ['The rule is paused', 'There is no such rule, or the rules cannot be read'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .option('--until <time>', 'When the rule resumes automatically, for example "in 2h" or "tomorrow 9:00"');
  answering(pausing, {
    schema: PauseRuleAnswer,
    out,
    async run(shown, rule: string, { until }: { readonly until?: string }) {
      const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
      const end = until === undefined ? undefined : typedTime(until, '--until');
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const actions = openOfflineActions(process.env);
      const explainer = openExplainer(process.env);
      return await pause({ explainer, actions, rule, until: end, by: operator(), timezone, out: shown });
    },
  });

  const resuming = document(program.command('resume'), {
    group: 'operate',
    summary: 'Resume a rule',
    description: ['Resume a rule that was paused by a person or automatically.'],
    examples: [['Resume a rule', 'fanfare resume live-card']],
    exits: ['The rule is not paused', 'There is no such rule, or the rules cannot be read'],
  }).argument('<rule>', 'Id of a rule, or of one instance of it');
  answering(resuming, {
    schema: ChangedRules,
    out,
    async run(shown, rule: string) {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const actions = openOfflineActions(process.env);
      return await resume({ explainer: openExplainer(process.env), actions, rule, by: operator(), out: shown });
    },
  });
}

const PauseRuleAnswer = ChangedRules.extend({
  until: z.date().optional().describe('When the rule resumes automatically; absent: not before a person resumes it.'),
});

interface PauseOptions extends ExplainOptions {
  readonly actions: Pick<Actions, 'pauseRule' | 'resumeRule'>;
  readonly by: Actor;
}

/** Pauses a rule. Throws a refusal if there is no such rule. */
export async function pause({
  explainer,
  actions,
  rule,
  until,
  by,
  timezone,
  out,
}: PauseOptions & { readonly until?: Date | undefined; readonly timezone: string }): Promise<Answer<z.input<typeof PauseRuleAnswer>>> {
  const outcome = await actions.pauseRule({ rule, until }, by);
  if (!outcome) throw await unknownRule(rule, explainer);
  if (outcome.changed.length === 0) out.print(`${rule} is already paused.`);
  const end = until === undefined ? '' : ` until ${instantText(until, timezone)} (${timezone})`;
  for (const id of outcome.changed) out.print(`${out.paint('yellow', id)} is paused${end}. To resume it: fanfare resume ${id}`);
  return { data: { ...outcome, until } };
}

/** Resumes a rule. Throws a refusal if there is no such rule. */
export async function resume({ explainer, actions, rule, by, out }: PauseOptions): Promise<Answer<z.input<typeof ChangedRules>>> {
  const outcome = await actions.resumeRule({ rule }, by);
  if (!outcome) throw await unknownRule(rule, explainer);
  if (outcome.changed.length === 0) out.print(`${rule} is not paused.`);
  for (const id of outcome.changed) out.print(`${out.paint('green', id)} is resumed. Announcements from the pause are not sent later.`);
  return { data: outcome };
}
