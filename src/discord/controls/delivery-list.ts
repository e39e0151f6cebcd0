import { neutral } from '#src/operation/text/neutral.ts';
import type { DeliveryState } from '#src/outbox/delivery.ts';
import type { Reader } from '../cards/card.ts';
import type { Reply } from '../reply.ts';
import { button, pageButtons, rows, type Row } from './buttons.ts';
import type { Controls, ShownDelivery } from './controls.ts';
import { deliveryLine, deliveryName } from './delivery-lines.ts';
import { shortName } from './short-name.ts';
import { fitted, numeral } from './text.ts';

const A_PAGE = 8;
const LONGEST = 4_000;
/** A row of buttons holds five. */
const A_ROW = 5;

export interface DeliveryListOptions {
  /** Where it is read. */
  readonly server: string | undefined;
  readonly rule?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly page: number;
}

/** A page of deliveries: those first that somebody has to look at, each unknown one with a button that leads to it. */
export async function deliveryList(controls: Controls, { server, rule, state, page }: DeliveryListOptions, reader: Reader): Promise<Reply> {
  const { delivering } = reader.words.controls;
  const { items, more } = await controls.deliveries({ server, rule, state, offset: page * A_PAGE, limit: A_PAGE });
  const idOf = (role: string, to: number): string =>
    `deliveries:page:${to}:${rule === undefined ? '' : shortName(rule)}:${state ?? ''}:${role}`;
  const unknown = items.flatMap(({ id, state: now }, index) => (now === 'unknown' ? [{ id, number: index + 1 }] : []));
  const choices = unknown.map(({ id, number }) => button(`resolve:show:${id}`, `❓ ${numeral(number, reader)}`));
  const lines = items.map((delivery, index) => `${numeral(index + 1, reader)}. ${deliveryLine(delivery, reader)}`);
  return {
    content: '',
    embeds: [{ title: delivering.title, description: lines.length > 0 ? fitted(lines, LONGEST, reader) : delivering.none }],
    components: rows(choices.slice(0, A_ROW), choices.slice(A_ROW), pageButtons({ page, more, idOf }, reader)),
  };
}

/** One delivery; of one whose end nobody knows, with the two words that end it. */
export function deliveryCard(delivery: ShownDelivery, reader: Reader): Reply {
  const { delivering } = reader.words.controls;
  const isUnknown = delivery.state === 'unknown';
  return {
    content: '',
    embeds: [
      {
        description: [deliveryLine(delivery, reader), saidBy(delivery), ...(isUnknown ? [delivering.unknown] : [])]
          .filter((line) => line !== '')
          .join('\n'),
      },
    ],
    components: isUnknown ? resolveButtons(delivery, reader) : [],
  };
}

function resolveButtons({ id }: ShownDelivery, { words: { controls } }: Reader): Row[] {
  return rows([
    button(`resolve:sent:${id}`, controls.wordSent, { style: 'good' }),
    button(`resolve:again:${id}`, controls.wordAgain, { style: 'danger' }),
  ]);
}

/** What became of it now that somebody said so. */
export function resolvedCard(delivery: ShownDelivery, word: 'sent' | 'again', reader: Reader): Reply {
  const { delivering } = reader.words.controls;
  const name = deliveryName(delivery, reader);
  return { content: '', embeds: [{ description: word === 'sent' ? delivering.isSent(name) : delivering.isAgain(name) }], components: [] };
}

/** What it would have said, so that it can be looked for. */
function saidBy({ params }: ShownDelivery): string {
  const text = params?.['content'] ?? params?.['text'];
  return typeof text === 'string' && text !== '' ? `\`\`\`\n${neutral(text.slice(0, 500)).replaceAll('```', "'''")}\n\`\`\`` : '';
}
