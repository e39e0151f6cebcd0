import type { Command } from 'commander';
import type { Resolver } from '#src/controls/offline.ts';
import type { ResendRefusal } from '#src/controls/resend.ts';
import type { ShownDelivery } from '#src/queries/records.ts';
import { findDelivery, nameOf, shortId, textOf } from './delivery-names.ts';
import { document } from './document.ts';
import { instantText, oneLine, printError } from './format.ts';
import { operatorName } from './operator-name.ts';
import type { Terminal } from './terminal.ts';

/** Declares the command `resend`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('resend'), {
    group: 'operate',
    summary: 'Send a failed message again',
    description: [
      'Send a failed delivery again, for example after you corrected a channel or signed in. Fanfare renders the current step of the rule file with the values of the announcement.',
      'Without an argument, the command lists the failed deliveries. A delivery can be sent again for 7 days.',
    ],
    examples: [
      ['List the failed deliveries', 'fanfare resend'],
      ['Send one again', 'fanfare resend 3f2a81c0'],
    ],
    exits: ['The deliveries were listed, or the delivery is sent again', 'The delivery does not exist, or cannot be sent again'],
  })
    .argument('[delivery]', 'Id from the list; its first characters are enough')
    .action(async (delivery: string | undefined) => {
      const { openResolver } = await import('#src/app/open-resolver.ts');
      const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
      process.exitCode = await resend({ resolver: openResolver(process.env), delivery, by: operatorName(), timezone, out });
    });
}

const LIST = 'To list the failed deliveries: fanfare resend';

export interface ResendOptions {
  readonly resolver: Pick<Resolver, 'failed' | 'named' | 'resend'>;
  /** The beginning of the id; undefined lists all failed deliveries. */
  readonly delivery: string | undefined;
  /** The name of the operator. */
  readonly by: string;
  /** The zone of the shown times. */
  readonly timezone: string;
  readonly out: Terminal;
}

/** Lists the failed deliveries, or sends one again. Returns the exit code: 1 if it cannot be sent again. */
export async function resend(options: ResendOptions): Promise<number> {
  const { resolver, delivery: name, by, out } = options;
  if (name === undefined) return list(options);
  const delivery = await findDelivery(name, { resolver, list: LIST });
  const outcome = await resolver.resend(delivery, by);
  if (outcome && 'resent' in outcome) {
    out.print(`${out.paint('green', nameOf(delivery))} is sent again within 30 seconds, or at the next start of Fanfare.`);
    return 0;
  }
  printError(outcome ? messageOf(outcome.refused, delivery) : `there is no delivery ${name}\n  ${LIST}`, out);
  return 1;
}

async function list({ resolver, timezone, out }: ResendOptions): Promise<number> {
  const { items } = await resolver.failed();
  if (items.length === 0) {
    out.print(out.paint('green', 'There are no failed deliveries.'));
    return 0;
  }
  out.print(`Failed deliveries (times in ${timezone}):`);
  for (const delivery of items) {
    const { id, createdAt, error, message: reason } = delivery;
    const text = textOf(delivery);
    const why = error?.message ?? reason;
    out.print('');
    out.print(`${out.paint('bold', nameOf(delivery))}, ${instantText(createdAt, timezone)}`);
    if (text !== undefined) out.print(`  text:    ${text}`);
    if (why !== undefined) out.print(out.paint('dim', `  reason:  ${oneLine(why)}`));
    out.print(`  send it again:  ${out.paint('cyan', `fanfare resend ${shortId(id)}`)}`);
  }
  return 0;
}

/** Why a delivery cannot be sent again, and what to do. */
function messageOf(refusal: ResendRefusal, delivery: ShownDelivery): string {
  const [what, todo] = explain(refusal, delivery);
  return `${what}: ${nameOf(delivery)}\n  ${todo}`;
}

function explain(refusal: ResendRefusal, { id, rule }: ShownDelivery): readonly [what: string, todo: string] {
  switch (refusal.kind) {
    case 'state':
      if (refusal.state === 'unknown') {
        return ['this delivery may have been sent', `Look on the platform, then resolve it: fanfare resolve ${shortId(id)}`];
      }
      return [`only a failed delivery can be sent again; this one is ${refusal.state}`, LIST];
    case 'paused':
      return [`${oneLine(refusal.by)} paused the rule of this delivery`, `Resume it first: fanfare resume ${rule}`];
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
