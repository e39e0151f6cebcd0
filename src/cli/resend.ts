import type { Command } from 'commander';
import type { z } from 'zod';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { DeliveryLookup } from '#src/admin/queries/offline.ts';
import type { ResendRefusal } from '#src/admin/actions/resend.ts';
import type { ShownDelivery } from '#src/admin/queries/records.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import { answering, type Answer } from './answering.ts';
import { DeliveriesAnswer, toDeliveriesAnswer } from './deliveries-answer.ts';
import { findDelivery, nameOf, shortId, textOf } from './delivery-names.ts';
import { document } from './document.ts';
import { instantText, oneLine } from './format.ts';
import { localZone } from './local-zone.ts';
import { operator } from './operator.ts';
import { Refusal } from './refusal.ts';
import type { Terminal } from './terminal.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('resend'), {
    group: 'operate',
    summary: 'Send a failed message again',
    description: [
      'Send a failed delivery again, for example after you corrected a channel or signed in. Fanfare renders the current step of the rule file with the values of the announcement.',
      'Without an argument, the command lists the failed deliveries. A delivery can be sent again for 7 days after it failed.',
    ],
    examples: [
      ['List the failed deliveries', 'fanfare resend'],
      ['Send one again', 'fanfare resend 3f2a81c0'],
    ],
    exits: ['The deliveries were listed, or the delivery is sent again', 'The delivery does not exist, or cannot be sent again'],
  }).argument('[delivery]', 'Id from the list; its first characters are enough');
  answering(command, {
    schema: DeliveriesAnswer,
    out,
    needsRun: true,
    async run(shown, delivery: string | undefined) {
      const { openDeliveryLookup } = await import('#src/app/open-delivery-lookup.ts');
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const timezone = localZone();
      const actions = openOfflineActions(process.env);
      return await resend({ lookup: openDeliveryLookup(process.env), actions, delivery, by: operator(), timezone, out: shown });
    },
  });
}

const LIST = 'To list the failed deliveries: fanfare resend';

export interface ResendOptions {
  readonly lookup: Pick<DeliveryLookup, 'failed' | 'named'>;
  readonly actions: Pick<Actions, 'resendDelivery'>;
  /** The beginning of the id; undefined lists all failed deliveries. */
  readonly delivery: string | undefined;
  readonly by: Actor;
  /** The zone of the shown times. */
  readonly timezone: string;
  readonly out: Terminal;
}

type Resent = Answer<z.input<typeof DeliveriesAnswer>>;

/** Lists the failed deliveries, or sends one again. Throws a refusal if it cannot be sent again. */
export async function resend(options: ResendOptions): Promise<Resent> {
  const { lookup, actions, delivery: name, by, out } = options;
  if (name === undefined) return list(options);
  const delivery = await findDelivery(name, { lookup, list: LIST });
  const outcome = await actions.resendDelivery({ delivery: delivery.id }, by);
  if (outcome && 'resent' in outcome) {
    out.print(`${out.paint('green', nameOf(delivery))} is sent again within 30 seconds, or at the next start of Fanfare.`);
    return { data: { delivery: toDeliveryView(outcome.resent) } };
  }
  if (!outcome) throw new Refusal(`there is no delivery ${name}`, { code: 'deliveryNotFound', hint: LIST });
  const [what, hint] = explain(outcome.refused, delivery);
  throw new Refusal(`${what}: ${nameOf(delivery)}`, { code: outcome.refused.kind, hint });
}

async function list({ lookup, timezone, out }: ResendOptions): Promise<Resent> {
  const failed = await lookup.failed();
  const { items, more } = failed;
  if (items.length === 0) out.print(out.paint('green', 'There are no failed deliveries.'));
  else out.print(`Failed deliveries (times in ${timezone}):`);
  for (const delivery of items) {
    const { id, createdAt, error, message: reason } = delivery;
    const text = textOf(delivery);
    const why = error?.message ?? reason;
    out.print('');
    out.print(`${out.paint('bold', nameOf(delivery))}, ${instantText(createdAt, timezone)}`);
    if (text !== undefined) out.print(`  text:    ${text}`);
    if (delivery.isOver === true) out.print(`  ${out.paint('yellow', 'The stream is over.')}`);
    if (why !== undefined) out.print(out.paint('dim', `  reason:  ${oneLine(why)}`));
    out.print(`  send it again:  ${out.paint('cyan', `fanfare resend ${shortId(id)}`)}`);
  }
  if (more) out.print('\nThere are older failed deliveries. The page lists all of them.');
  return { data: toDeliveriesAnswer(failed) };
}

/** Why a delivery cannot be sent again, and what to do. */
function explain(refusal: ResendRefusal, { id, rule }: ShownDelivery): readonly [what: string, todo: string] {
  switch (refusal.kind) {
    case 'state':
      if (refusal.state === 'unknown') {
        return ['this delivery may have been sent', `Look on the platform, then resolve it: fanfare resolve ${shortId(id)}`];
      }
      return [`only a failed delivery can be sent again; this one is ${refusal.state}`, LIST];
    case 'paused':
      return [`${oneLine(refusal.by)} paused the rule of this delivery`, `Resume it first: fanfare resume ${rule}`];
    case 'muted':
      return [`${oneLine(refusal.by)} muted the item of this delivery until it ends`, 'Send it after the end, or not at all.'];
    case 'ruleGone':
      return ['the rule of this delivery was deleted', 'Restore its file first.'];
    case 'ruleOff':
      return ['the rule of this delivery is off', 'Set "enabled: true" in its file first.'];
    case 'stepGone':
      return ['the rule no longer has this step through this account', 'A resend uses the current step of the rule file.'];
    case 'superseded':
      return ['this is an edit of an open card', 'The next poll edits the card.'];
    case 'tooOld':
      return ['this delivery failed more than 7 days ago', 'The values of its texts are no longer stored.'];
    case 'otherRecord':
      return ['the platform created something else than requested', 'Delete it on the platform if you do not want it.'];
  }
}
