import type { Actions } from '#src/admin/actions/actions.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { ShownDelivery } from '#src/admin/queries/records.ts';
import type { Clock } from '#src/clock.ts';
import type { Caller } from '#src/discord/caller.ts';
import { FOLLOWED } from '#src/rules/lists.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { operatorOf } from '#src/discord/actor.ts';
import type { Reply } from '#src/discord/reply.ts';
import { deliveriesOfCause } from './wanted-alerts.ts';

const FOUND = 200;

export interface CauseOptions {
  readonly controls: Pick<OperatorQueries, 'deliveries'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** How to solve the problem of an alert. */
export async function howToFix(cause: string, caller: Caller, options: CauseOptions): Promise<Reply> {
  const { alerts, setup } = caller.texts;
  const [failed] = await failedOf(cause, caller, options);
  return { content: failed ? alerts.fix[remedyOf(failed)](`\`/${setup.command.name}\``) : alerts.nothing };
}

function remedyOf({ do: verb, rule, error }: ShownDelivery): keyof Texts['alerts']['fix'] {
  switch (error?.fault) {
    case 'unreachable':
    case 'unanswered':
    case 'unavailable':
    case 'rateLimited':
      return 'wait';
    case 'expression':
    case 'invalid':
    case 'rejected':
    case 'unsupported':
    case 'malformed':
    case 'duplicate':
    case 'defect':
      return rule === FOLLOWED ? 'streamer' : 'content';
    case 'missing':
      if (rule === FOLLOWED) return verb === 'discord.send' ? 'gone' : 'streamer';
      return verb.startsWith('discord.') ? 'channel' : 'account';
    case 'forbidden':
    case undefined:
      return verb.startsWith('discord.') ? 'channel' : 'account';
    default:
      return 'account';
  }
}

/** The failed deliveries of an alert, as far as the caller may see them. */
async function failedOf(cause: string, { server, scope }: Caller, { controls, clock }: CauseOptions): Promise<readonly ShownDelivery[]> {
  const { items } = await controls.deliveries({ server: server?.id, scope, state: 'failed', offset: 0, limit: FOUND });
  return deliveriesOfCause(items, cause, { scope, nowMs: clock.nowMs() });
}

export interface RetryOptions extends CauseOptions {
  readonly controls: CauseOptions['controls'] & Pick<Actions, 'resendDelivery'>;
}

/** Sends the deliveries of an alert again, as far as the caller may see them. */
export async function retryCause(cause: string, caller: Caller, options: RetryOptions): Promise<Reply> {
  const { alerts } = caller.texts;
  const all = await failedOf(cause, caller, options);
  // Members would be told that a stream is live which is over. `/deliveries` sends each of these announcements if a person wants it.
  const failed = all.filter(({ isOver }) => isOver !== true);
  const over = all.length - failed.length;
  let [sent, refused] = [0, 0];
  for (const { id } of failed) {
    const outcome = await options.controls.resendDelivery({ delivery: id }, operatorOf(caller));
    if (outcome && 'resent' in outcome) sent++;
    else refused++;
  }
  const lines = [
    ...(sent > 0 ? [alerts.retried(sent)] : []),
    ...(refused > 0 ? [alerts.notRetried(refused)] : []),
    ...(over > 0 ? [alerts.streamsOver(over)] : []),
  ];
  return { content: lines.length === 0 ? alerts.nothing : lines.join('\n') };
}
