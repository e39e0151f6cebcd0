import { systemClock } from '#src/clock.ts';
import type { ShownDelivery } from '#src/discord/controls/controls.ts';
import { ConfigError } from '#src/errors.ts';
import { resolution, type OperatorWord } from '#src/outbox/resolution.ts';
import type { Store } from '#src/store/store.ts';
import { openConfig } from '../configuration/open-config.ts';
import { deliveryPage, shownDelivery, type DeliveryPageOptions } from '../controls/delivery-page.ts';
import { withKeptState } from '../explain/kept-state.ts';
import { openRuleBook } from '../reload/rule-book.ts';
import { isQuestion } from '../steps.ts';

const SHOWN = 50;

type Book = DeliveryPageOptions['book'];

/** What nobody knows the end of, for whoever can look, while the program runs or while it does not. */
export interface Resolver {
  /** The deliveries that wait for a word, the newest first. */
  undecided(): Promise<{ readonly items: readonly ShownDelivery[]; readonly more: boolean }>;
  /** The deliveries whose ids begin with `name`, in whatever state they are. */
  named(name: string): Promise<readonly ShownDelivery[]>;
  /** Says what became of one; false: somebody else has said so in the meantime, and nothing was changed. */
  resolve(delivery: ShownDelivery, word: OperatorWord): Promise<boolean>;
}

/** The deliveries of the installation that `environment` describes. */
export function openResolver(environment: Readonly<Record<string, string | undefined>>): Resolver {
  const config = openConfig(environment);

  function look<T>(use: (store: Store, book: Book) => Promise<T>): Promise<T> {
    return withKeptState(config, async (store) => use(store, await bookOf(store)));
  }

  async function bookOf({ ruleSources }: Store): Promise<Book> {
    try {
      return await openRuleBook({ config, stored: await ruleSources.load(), nowMs: Date.now });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // Rules that cannot be read keep nobody from saying what was sent.
      return { now: { rules: [] } };
    }
  }

  return {
    undecided: () => look((store, book) => deliveryPage({ state: 'unknown', offset: 0, limit: SHOWN }, { book, store })),

    named: (name) =>
      look(async ({ deliveryLog }, book) => (await deliveryLog.named(name)).map((delivery) => shownDelivery(delivery, book))),

    resolve: (delivery, word) =>
      withKeptState(config, async ({ deliveries }) => {
        const change = resolution(delivery, word, { isQuestion, clock: systemClock });
        // Only from the state in which it was seen: of two who say something, in whatever process, one is heard.
        return (await deliveries.change(delivery, change)) !== undefined;
      }),
  };
}
