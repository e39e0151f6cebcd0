import type { DeliveryState } from '#src/outbox/delivery.ts';
import { linkTo, type Reader } from '../cards/card.ts';
import { instant } from '../cards/figures.ts';
import { escaped } from '../text/foreign-text.ts';
import type { ShownDelivery } from './controls.ts';
import { numeral, stepText } from './text.ts';

const MARKS: Readonly<Record<DeliveryState, string>> = {
  pending: '⏳',
  sending: '📤',
  asked: '💬',
  sent: '✅',
  failed: '❌',
  unknown: '❓',
  skipped: '➖',
};

/** What a delivery is, in a few words: `live-card · card: discord.send through discord`. */
export function deliveryName({ rule, place, do: verb, account, postedBy }: ShownDelivery, { words: { controls } }: Reader): string {
  const what = controls.card.step(`\`${verb}\``, escaped(account, 60));
  if (postedBy !== undefined) return `${controls.delivering.post(escaped(postedBy, 60))}: ${what}`;
  return `**${escaped(rule, 80)}** · ${stepText(place, { controls })}: ${what}`;
}

/** One delivery: how it is, what it is, when, and why it is not where it should be. */
export function deliveryLine(delivery: ShownDelivery, reader: Reader): string {
  const { state, attempts, createdAt, sentAt, times = 1 } = delivery;
  const { controls, reasons } = reader.words;
  const why = reasons.delivered(delivery);
  const when = instant(sentAt ?? createdAt);
  const facts = [
    `${MARKS[state]} **${controls.states[state]}**`,
    deliveryName(delivery, reader),
    times > 1 ? controls.delivering.edited(numeral(times, reader), when) : when,
    ...(attempts > 1 ? [controls.delivering.attempts(numeral(attempts, reader))] : []),
    ...linkOf(delivery, reader),
  ];
  return `${facts.join(' · ')}${why === undefined ? '' : `\n-# ${escaped(why, 200)}`}`;
}

function linkOf({ result }: ShownDelivery, { words: { controls } }: Reader): readonly string[] {
  const url = typeof result === 'object' && result !== null && 'url' in result ? result['url'] : undefined;
  return typeof url === 'string' ? [linkTo(url, controls.delivering.open)] : [];
}
