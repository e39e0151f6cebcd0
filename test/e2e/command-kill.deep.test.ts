import { expect, test } from 'vitest';
import { z } from 'zod';
import { en } from '#src/discord/language/en/index.ts';
import { eventually } from '../support/fanfare-process.ts';
import { openKilledFanfare, stateOf, type KilledFanfare } from '../support/killed-fanfare.ts';

const USES_PER_KILL = 3;
/** Discord accepts a first response for three seconds. */
const TOO_LATE_MS = 3_500;

/** While the first response is sent, while a step looks something up, or while the answer is sent. */
const CALLBACK = { platform: 'discord', method: 'POST', route: '/callback' } as const;
const REQUESTS = [
  CALLBACK,
  { platform: 'twitch', route: '/users' },
  { platform: 'discord', method: 'PATCH', route: '/webhooks/' },
] as const;

/** The text of a use whose first response did not reach Discord. Such a use is not counted. */
const LOST = en.errors.fault('Discord', 'unanswered', undefined);

const RULE = `
id: sum
about: Adds a number
when: { command: add, public: true, options: { amount: { type: integer, about: The number, required: true } } }
keep:
  total: "\${{ keep.total + command.options.amount }}"
then:
  - { id: found, do: streaming.getUser, with: { user: ada } }
  - { do: discord.answer, with: { content: "\${{ command.options.amount }} makes \${{ keep.total }}" } }
`;

const Use = z.object({
  id: z.string(),
  outcome: z.string(),
  message: z.object({ content: z.string(), loading: z.boolean() }).optional(),
  followUps: z.array(z.unknown()),
});
const Server = z.object({ commands: z.array(z.object({ name: z.string() })) });
const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });
const Stored = z.object({ values: z.object({ total: z.int() }) });

type SeenUse = z.output<typeof Use> & { readonly amount: number };

/** The uses of the command by one member. */
class Uses {
  readonly #fanfare: KilledFanfare;
  readonly #ids = new Map<number, string>();
  #next = 1;

  constructor(fanfare: KilledFanfare) {
    this.#fanfare = fanfare;
  }

  /** Uses the command with a power of two: each set of uses has another sum. */
  async use(): Promise<SeenUse> {
    const amount = this.#next;
    this.#next *= 2;
    const order = { user: 'ada', channel: 'general', command: 'add', options: { amount }, waitMs: 0 };
    const used = Use.parse(await this.#fanfare.order('/discord/interactions', order));
    this.#ids.set(amount, used.id);
    return { ...used, amount };
  }

  /** What the member sees of each use now. */
  async seen(): Promise<readonly SeenUse[]> {
    const uses = [...this.#ids].map(async ([amount, id]) => ({
      ...Use.parse(await this.#fanfare.seen(`/discord/interactions/${id}`)),
      amount,
    }));
    return Promise.all(uses);
  }

  /** Uses the command until it is answered. */
  async untilAnswered(): Promise<void> {
    const amount = await eventually('the command is accepted', async () => {
      const { outcome, amount } = await this.use();
      return outcome === 'message' && amount;
    });
    await eventually('the answer', async () => (await this.seen()).some((use) => use.amount === amount && isAnswered(use)));
  }
}

/** Whether the rule answered. */
function isAnswered({ message }: SeenUse): boolean {
  return message !== undefined && !message.loading && message.content !== LOST;
}

/** The total of an answer; NaN for any other text. */
function totalOf({ amount, message }: SeenUse): number {
  const [, own, total] = /^(\d+) makes (\d+)$/u.exec(message?.content ?? '') ?? [];
  return Number(own) === amount ? Number(total) : Number.NaN;
}

test.for([stateOf(4)])('each use that a rule counts is answered once, although processes are killed: %s', async (state) => {
  await using fanfare = await openKilledFanfare({ state, commands: { sum: RULE } });
  const uses = new Uses(fanfare);
  const isAwaited = (): boolean => fanfare.sandbox.faults.all().some(({ kind }) => kind === 'delay');
  const useSome = async (): Promise<void> => {
    let used: readonly SeenUse[];
    // On a busy machine, the bot can answer after the deadline of Discord, and then makes no further request.
    do used = await Promise.all(Array.from({ length: USES_PER_KILL }, () => uses.use()));
    while (used.every(({ outcome }) => outcome === 'failed') && isAwaited());
  };

  await eventually('the command is offered', async () => {
    const { commands } = Server.parse(await fanfare.seen('/discord'));
    return commands.some(({ name }) => name === 'add');
  });
  const requests = fanfare.random.shuffled(REQUESTS);
  for (let kill = 0; kill < fanfare.kills; kill++) {
    await uses.untilAnswered();
    await fanfare.killDuring(requests[kill % requests.length] ?? CALLBACK, useSome, { isLost: fanfare.random.pick([true, false]) });
  }
  await uses.untilAnswered();
  fanfare.sandbox.faults.add({ ...CALLBACK, kind: 'delay', ms: TOO_LATE_MS, times: 1 });
  const late = await uses.use();
  await eventually('the end of all deliveries', async () =>
    (await fanfare.deliveriesOf('sum')).every((delivery) => delivery.state === 'sent'),
  ).catch((error: unknown) => {
    throw new Error(fanfare.output(), { cause: error });
  });
  // Its total contains all uses that were counted before.
  await uses.untilAnswered();

  const seen = await uses.seen();
  const answered = seen.filter(isAnswered).toSorted((a, b) => totalOf(a) - totalOf(b));
  expect(answered.filter((use) => Number.isNaN(totalOf(use)))).toEqual([]);
  let sum = 0;
  expect(answered.map(totalOf)).toEqual(answered.map(({ amount }) => (sum += amount)));
  expect(Stored.parse(await fanfare.api('/rules/sum')).values.total).toBe(sum);
  expect(seen.flatMap(({ followUps }) => followUps)).toEqual([]);
  expect(late.outcome).toBe('failed');
  expect(seen.filter(({ outcome, message }) => outcome === 'failed' && message)).toEqual([]);
  const { items } = Messages.parse(await fanfare.seen('/messages?channel=general&limit=500'));
  const contents = items.map(({ content }) => content).filter((content) => content.includes(' makes '));
  expect(contents.toSorted()).toEqual(answered.map(({ message }) => message?.content ?? '').toSorted());
});
