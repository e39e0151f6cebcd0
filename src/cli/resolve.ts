import type { Command } from 'commander';
import type { ShownDelivery } from '#src/queries/records.ts';
import type { Resolution } from '#src/controls/controls.ts';
import type { Resolver } from '#src/controls/offline.ts';
import { findDelivery, nameOf, shortId, textOf } from './delivery-names.ts';
import { document } from './document.ts';
import { instantText, oneLine, printError } from './format.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Declares the command `resolve`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('resolve'), {
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
    .argument('[resolution]', 'Either sent (it is on the platform) or again (send it again)')
    .action(async (delivery: string | undefined, resolution: string | undefined) => {
      const { openResolver } = await import('#src/app/open-resolver.ts');
      const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
      process.exitCode = await resolve({ resolver: openResolver(process.env), delivery, resolution, timezone, out });
    });
}

export interface ResolveOptions {
  readonly resolver: Resolver;
  /** The beginning of the id; undefined lists all unknown deliveries. */
  readonly delivery: string | undefined;
  /** `sent` or `again`; undefined shows the delivery. */
  readonly resolution: string | undefined;
  /** The zone of the shown times. */
  readonly timezone: string;
  readonly out: Terminal;
}

/** Lists the unknown deliveries, or resolves one. Returns the exit code: 1 if the delivery is not unknown. */
export async function resolve(options: ResolveOptions): Promise<number> {
  const { delivery: name, resolution, out } = options;
  if (name === undefined) return list(options);
  if (resolution !== undefined && !isResolution(resolution)) {
    throw new UsageError(`unknown resolution ${resolution}`, {
      hint: 'Use sent if the message is on the platform, or again to send it again.',
    });
  }
  const delivery = await findDelivery(name, { resolver: options.resolver, list: 'To list the unknown deliveries: fanfare resolve' });
  if (delivery.state !== 'unknown') {
    printError(`this delivery needs no decision: it is ${delivery.state} (${nameOf(delivery)})`, out);
    return 1;
  }
  if (resolution === undefined) {
    print(delivery, options);
    return 0;
  }
  return applyResolution(delivery, resolution, options);
}

async function list(options: ResolveOptions): Promise<number> {
  const { resolver, timezone, out } = options;
  const { items, more } = await resolver.undecided();
  if (items.length === 0) {
    out.print(`${out.paint('green', 'There are no unknown deliveries.')}`);
    return 0;
  }
  const count = items.length === 1 && !more ? 'One delivery' : `${items.length}${more ? ' or more' : ''} deliveries`;
  out.print(`${count} may or may not have been sent. Look on the platform, then resolve each one (times in ${timezone}).`);
  for (const delivery of items) {
    out.print('');
    print(delivery, options);
  }
  return 0;
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

async function applyResolution(delivery: ShownDelivery, resolution: Resolution, { resolver, out }: ResolveOptions): Promise<number> {
  const name = nameOf(delivery);
  if (!(await resolver.resolve(delivery, resolution))) {
    const [now] = await resolver.named(delivery.id);
    if (now?.state === 'unknown') {
      printError(`the rule of this delivery is paused or deleted: ${name}\n  Resume the rule first: fanfare resume ${delivery.rule}`, out);
      return 1;
    }
    printError(
      `someone else has resolved this delivery in the meantime: ${name}\n  Nothing was changed. To list the unknown deliveries: fanfare resolve`,
      out,
    );
    return 1;
  }
  const done = resolution === 'sent' ? 'is now marked as sent.' : 'is sent again within 30 seconds, or at the next start of Fanfare.';
  out.print(`${out.paint('green', name)} ${done}`);
  return 0;
}

function isResolution(text: string): text is Resolution {
  return text === 'sent' || text === 'again';
}
