import type { Command } from 'commander';
import { z } from 'zod';
import { ChangedRules } from '#src/admin/queries/action-answers.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { ExplainOptions } from './explain.ts';
import { instantText } from './format.ts';
import { localZone } from './local-zone.ts';
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
      'The pause applies at once or from a time, and it outlasts a restart. Announcements that the pause prevents are not sent later.',
    ],
    examples: [
      ['Pause a rule', 'fanfare pause live-card'],
      ['Pause a rule until tomorrow', 'fanfare pause live-card --until "tomorrow 9:00"'],
      ['Pause a rule between two times', 'fanfare pause live-card --from "tomorrow 18:00" --until "in 2 weeks"'],
      ['Pause one instance of a rule', 'fanfare pause games/chess'],
    ],
    exits: ['The rule is paused, or the pause is planned', 'There is no such rule, or the rules cannot be read'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .option('--from <time>', 'When the pause begins; without it, at once')
    .option('--until <time>', 'When the rule resumes automatically, for example "in 2h" or "tomorrow 9:00"');
  answering(pausing, {
    schema: PauseRuleAnswer,
    out,
    needsRun: true,
    async run(shown, rule: string, { from, until }: { readonly from?: string; readonly until?: string }) {
      const timezone = localZone();
      const start = from === undefined ? undefined : typedTime(from, '--from');
      const end = until === undefined ? undefined : typedTime(until, '--until');
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const actions = openOfflineActions(process.env);
      const explainer = openExplainer(process.env);
      return await pause({ explainer, actions, rule, from: start, until: end, by: operator(), timezone, out: shown });
    },
  });

  const resuming = document(program.command('resume'), {
    group: 'operate',
    summary: 'Resume a rule',
    description: [
      'Resume a rule that was paused by a person or automatically. Pauses that are planned for later stay; --planned cancels them instead.',
    ],
    examples: [
      ['Resume a rule', 'fanfare resume live-card'],
      ['Cancel the planned pauses of a rule', 'fanfare resume live-card --planned'],
    ],
    exits: ['The rule is not paused, or has no planned pause', 'There is no such rule, or the rules cannot be read'],
  })
    .argument('<rule>', 'Id of a rule, or of one instance of it')
    .option('--planned', 'Cancel the planned pauses instead');
  answering(resuming, {
    schema: ChangedRules,
    out,
    needsRun: true,
    async run(shown, rule: string, { planned = false }: { readonly planned?: boolean }) {
      const { openExplainer } = await import('#src/app/open-explainer.ts');
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const actions = openOfflineActions(process.env);
      return await resume({ explainer: openExplainer(process.env), actions, rule, planned, by: operator(), out: shown });
    },
  });
}

const PauseRuleAnswer = ChangedRules.extend({
  from: z.date().optional().describe('When the pause begins; absent: at once.'),
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
  from,
  until,
  by,
  timezone,
  out,
}: PauseOptions & {
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
  readonly timezone: string;
}): Promise<Answer<z.input<typeof PauseRuleAnswer>>> {
  const outcome = await actions.pauseRule({ rule, from, until }, by);
  if (!outcome) throw await unknownRule(rule, explainer);
  if (outcome.changed.length === 0) out.print(from ? `${rule} has this planned pause already.` : `${rule} is already paused.`);
  const start = from === undefined ? '' : ` from ${instantText(from, timezone)}`;
  const end = until === undefined ? '' : ` until ${instantText(until, timezone)}`;
  const zone = start === '' && end === '' ? '' : ` (${timezone})`;
  for (const id of outcome.changed) {
    const [state, undo] = from
      ? ['will be paused', `cancel the planned pauses: fanfare resume ${id} --planned`]
      : ['is paused', `resume it: fanfare resume ${id}`];
    out.print(`${out.paint('yellow', id)} ${state}${start}${end}${zone}. To ${undo}`);
  }
  return { data: { ...outcome, from, until } };
}

/** Resumes a rule, or cancels its planned pauses. Throws a refusal if there is no such rule. */
export async function resume({
  explainer,
  actions,
  rule,
  planned = false,
  by,
  out,
}: PauseOptions & { readonly planned?: boolean | undefined }): Promise<Answer<z.input<typeof ChangedRules>>> {
  const outcome = await actions.resumeRule({ rule, planned }, by);
  if (!outcome) throw await unknownRule(rule, explainer);
  if (outcome.changed.length === 0) out.print(planned ? `${rule} has no planned pause.` : `${rule} is not paused.`);
  for (const id of outcome.changed) {
    const done = planned ? 'has no planned pause now.' : 'is resumed. Announcements from the pause are not sent later.';
    out.print(`${out.paint('green', id)} ${done}`);
  }
  return { data: outcome };
}
