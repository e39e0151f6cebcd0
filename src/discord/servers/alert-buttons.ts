import type { Actions } from '#src/admin/actions/actions.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { Clock } from '#src/clock.ts';
import type { Caller } from '#src/discord/caller.ts';
import { operatorOf } from '#src/discord/actor.ts';
import type { Reply } from '#src/discord/reply.ts';
import { deliveriesOfCause } from './wanted-alerts.ts';

const FOUND = 200;

/** How to solve the problem of an alert. */
export function howToFix({ texts: { alerts, setup } }: Pick<Caller, 'texts'>): Reply {
  return { content: alerts.fix(`\`/${setup.command.name}\``) };
}

export interface RetryOptions {
  readonly controls: Pick<Actions, 'resendDelivery'> & Pick<OperatorQueries, 'deliveries'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Sends the deliveries of an alert again, as far as the caller may see them. */
export async function retryCause(cause: string, caller: Caller, { controls, clock }: RetryOptions): Promise<Reply> {
  const { alerts } = caller.texts;
  const { server, scope } = caller;
  const { items } = await controls.deliveries({ server: server?.id, scope, state: 'failed', offset: 0, limit: FOUND });
  const failed = deliveriesOfCause(items, cause, { scope, nowMs: clock.nowMs() });
  let [sent, refused] = [0, 0];
  for (const { id } of failed) {
    const outcome = await controls.resendDelivery({ delivery: id }, operatorOf(caller));
    if (outcome && 'resent' in outcome) sent++;
    else refused++;
  }
  const lines = [...(sent > 0 ? [alerts.retried(sent)] : []), ...(refused > 0 ? [alerts.notRetried(refused)] : [])];
  return { content: lines.length === 0 ? alerts.nothing : lines.join('\n') };
}
