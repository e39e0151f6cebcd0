import type { Config } from '#src/config/config.ts';
import type { Controls, MessageStory, ToldOrigin } from '#src/discord/controls/controls.ts';
import type { Delivery } from '#src/outbox/delivery.ts';
import type { Decision } from '#src/rules/decision.ts';
import type { Origin } from '#src/store/delivery-log.ts';
import type { Store } from '#src/store/store.ts';
import type { RuleBook } from '../reload/rule-book.ts';
import { shownDelivery } from './delivery-page.ts';

/** As many as are kept of one outcome. */
const KEPT = 50;
const MOST_EPISODES = 1000;

export interface StoryOptions {
  readonly config: Pick<Config, 'accounts'>;
  readonly book: RuleBook;
  readonly store: Pick<Store, 'deliveryLog' | 'decisions' | 'episodes' | 'answerPlaces'>;
}

/** What is known of a message `channel/message` of a server: who made it what it is, and why. */
export async function storyOf(
  { message, server }: Parameters<Controls['story']>[0],
  { config, book, store }: StoryOptions,
): Promise<MessageStory> {
  const others = new Set(
    config.accounts.filter((one) => one.platform !== 'discord' || one.guildId !== server).map(({ account }) => account),
  );
  // What an account did that there is no more counts: this one may have had another name.
  const origins = (await store.deliveryLog.of(message)).filter(({ delivery }) => !others.has(delivery.account));
  const [first, last] = [origins[0], origins.at(-1)];
  const decided = await Promise.all(
    // Of what lies in between it is only told how much there is.
    origins.map(async (origin) => (origin === first || origin === last ? tell(origin, book, store) : plain(origin, book))),
  );
  const isAnswer = origins.length === 0 && (await store.answerPlaces.findMessage(message.split('/')[1] ?? '')) !== undefined;
  return { told: decided, isAnswer };
}

function plain({ delivery, ...origin }: Origin, book: RuleBook): ToldOrigin {
  return { ...origin, delivery: shownDelivery(delivery, book) };
}

async function tell(origin: Origin, book: RuleBook, store: StoryOptions['store']): Promise<ToldOrigin> {
  const { delivery } = origin;
  const startedMs = await startOf(delivery, store);
  return {
    ...plain(origin, book),
    decision: await decisionOf(delivery, store),
    startedAt: startedMs === undefined ? undefined : new Date(startedMs),
  };
}

/** The decision behind a delivery, where it is kept; `while` looks at every poll and decides nothing. */
async function decisionOf(
  { rule, firing, episode, section }: Delivery,
  { decisions }: Pick<Store, 'decisions'>,
): Promise<Decision | undefined> {
  if (section === 'while') return undefined;
  const outcome = section === 'finally' ? 'closed' : 'fired';
  const { items } = await decisions.list({ rule, outcome, limit: KEPT });
  return items.find((one) => (outcome === 'closed' ? one.episode === episode : one.details?.['firing'] === firing));
}

/** When the stream, the post, the clip of an episode began. */
async function startOf({ rule, episode }: Delivery, { episodes }: Pick<Store, 'episodes'>): Promise<number | undefined> {
  const found = (await episodes.list({ rule, limit: MOST_EPISODES })).find((one) => one.rule === rule && one.id === episode);
  return found?.startedMs;
}
