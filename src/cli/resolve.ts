import type { Command } from 'commander';
import type { z } from 'zod';
import type { ShownDelivery } from '#src/admin/queries/records.ts';
import type { Actions, Resolution } from '#src/admin/actions/actions.ts';
import type { Actor } from '#src/admin/actions/actor.ts';
import type { DeliveryLookup } from '#src/admin/queries/offline.ts';
import { answering, type Answer } from './answering.ts';
import { DeliveriesAnswer, toDeliveriesAnswer } from './deliveries-answer.ts';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import { findDelivery, nameOf, shortId, textOf } from './delivery-names.ts';
import { document } from './document.ts';
import { localZone } from './local-zone.ts';
import { operator } from './operator.ts';
import { instantText, oneLine } from './format.ts';
import { Refusal } from './refusal.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('resolve'), {
    group: 'operate',
    summary: 'Decide about messages that may have been sent',
    description: [
      'Decide about unknown deliveries. A delivery is unknown if Fanfare sent the message, received no response, and could not find out whether the platform published it.',
      'Without arguments, the command lists the unknown deliveries. Look on the platform, then resolve each one.',
    ],
    examples: [
      ['List the unknown deliveries', 'fanfare resolve'],
      ['The message is on the platform', 'fanfare resolve 3f2a81c0 sent'],
      ['The message is not on the platform', 'fanfare resolve 3f2a81c0 again'],
    ],
    exits: ['The deliveries were listed, or the delivery was resolved', 'The delivery does not exist, or is not unknown'],
  })
    .argument('[delivery]', 'Id from the list; its first characters are enough')
    .argument('[resolution]', 'Either sent (it is on the platform) or again (send it again)');
  answering(command, {
    schema: DeliveriesAnswer,
    out,
    needsRun: true,
    async run(shown, delivery: string | undefined, resolution: string | undefined) {
      const { openDeliveryLookup } = await import('#src/app/open-delivery-lookup.ts');
      const { openOfflineActions } = await import('#src/app/open-offline-actions.ts');
      const timezone = localZone();
      const actions = openOfflineActions(process.env);
      const lookup = openDeliveryLookup(process.env);
      return await resolve({ lookup, actions, delivery, resolution, by: operator(), timezone, out: shown });
    },
  });
}

export interface ResolveOptions {
  readonly lookup: Pick<DeliveryLookup, 'undecided' | 'named'>;
  readonly actions: Pick<Actions, 'resolveDelivery'>;
  /** The beginning of the id; undefined lists all unknown deliveries. */
  readonly delivery: string | undefined;
  /** `sent` or `again`; undefined shows the delivery. */
  readonly resolution: string | undefined;
  readonly by: Actor;
  /** The zone of the shown times. */
  readonly timezone: string;
  readonly out: Terminal;
}

type Resolved = Answer<z.input<typeof DeliveriesAnswer>>;

/** Lists the unknown deliveries, or resolves one. Throws a refusal if the delivery is not unknown. */
export async function resolve(options: ResolveOptions): Promise<Resolved> {
  const { delivery: name, resolution } = options;
  if (name === undefined) return list(options);
  if (resolution !== undefined && !isResolution(resolution)) {
    throw new UsageError(`unknown resolution ${resolution}`, {
      hint: 'Use sent if the message is on the platform, or again to send it again.',
    });
  }
  const delivery = await findDelivery(name, { lookup: options.lookup, list: 'To list the unknown deliveries: fanfare resolve' });
  if (delivery.state !== 'unknown') {
    throw new Refusal(`this delivery needs no decision: it is ${delivery.state} (${nameOf(delivery)})`, { code: 'state' });
  }
  if (resolution === undefined) {
    print(delivery, options);
    return { data: { delivery: toDeliveryView(delivery) } };
  }
  return applyResolution(delivery, resolution, options);
}

async function list(options: ResolveOptions): Promise<Resolved> {
  const { lookup, timezone, out } = options;
  const undecided = await lookup.undecided();
  const { items, more } = undecided;
  const data = toDeliveriesAnswer(undecided);
  if (items.length === 0) {
    out.print(`${out.paint('green', 'There are no unknown deliveries.')}`);
    return { data };
  }
  const count = items.length === 1 && !more ? 'One delivery' : `${items.length}${more ? ' or more' : ''} deliveries`;
  out.print(`${count} may or may not have been sent. Look on the platform, then resolve each one (times in ${timezone}).`);
  for (const delivery of items) {
    out.print('');
    print(delivery, options);
  }
  return { data };
}

/** Prints a delivery and the commands that resolve it. */
function print(delivery: ShownDelivery, options: ResolveOptions): void {
  const { timezone, out } = options;
  const { id, message: reason, attemptedAt, createdAt } = delivery;
  out.print(`${out.paint('bold', nameOf(delivery))}, ${instantText(attemptedAt ?? createdAt, timezone)}`);
  const text = textOf(delivery);
  if (text !== undefined) out.print(`  text:    ${text}`);
  if (reason !== undefined) out.print(out.paint('dim', `  reason:  ${oneLine(reason)}`));
  out.print(`  it was sent:    ${out.paint('cyan', `fanfare resolve ${shortId(id)} sent`)}`);
  out.print(`  send it again:  ${out.paint('cyan', `fanfare resolve ${shortId(id)} again`)}`);
}

async function applyResolution(
  delivery: ShownDelivery,
  resolution: Resolution,
  { lookup, actions, by, out }: ResolveOptions,
): Promise<Resolved> {
  const name = nameOf(delivery);
  const resolved = await actions.resolveDelivery({ delivery: delivery.id, resolution }, by);
  if (!resolved) {
    const [now] = await lookup.named(delivery.id);
    if (now?.state === 'unknown')
      throw new Refusal(`the rule of this delivery is paused or deleted, or its item is muted: ${name}`, {
        code: 'ruleNotRunning',
        hint: `Resume the rule first: fanfare resume ${delivery.rule}. If it was deleted, restore its file first.`,
      });
    throw new Refusal(`someone else has resolved this delivery in the meantime: ${name}`, {
      code: 'state',
      hint: 'Nothing was changed. To list the unknown deliveries: fanfare resolve',
    });
  }
  const done = resolution === 'sent' ? 'is now marked as sent.' : 'is sent again within 30 seconds, or at the next start of Fanfare.';
  out.print(`${out.paint('green', name)} ${done}`);
  return { data: { delivery: toDeliveryView(resolved) } };
}

function isResolution(text: string): text is Resolution {
  return text === 'sent' || text === 'again';
}
