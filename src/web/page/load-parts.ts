import type { EventKind, UndeliveredView } from '#src/admin/queries/records.ts';
import { html } from 'hono/html';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Views } from '#src/admin/queries/views.ts';
import type { PartName, Parts } from './document.ts';
import type { Html } from './inline/elements.ts';
import { panel } from './panel.ts';
import { deliveryRows } from './parts/deliveries.ts';
import { liveCards } from './parts/live.ts';
import { channels } from './parts/messages.ts';
import { timeline } from './parts/posts.ts';
import { ruleList } from './parts/rule-list.ts';
import { stateBar } from './parts/state.ts';

/** The number of entries in a part. The API has all entries, and the rules have pages. */
const SHOWN = 30;

interface Panel {
  readonly id: PartName;
  readonly title: string;
  readonly refreshOn: readonly EventKind[];
  /** Whether the part comes from the database. */
  readonly isStored?: boolean;
  readonly body: () => Promise<Html>;
}

export interface PartsOptions {
  readonly views: Views;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the renderers of all parts. If a part fails, it shows an error, and the other parts still render. */
export function partsOf({ views, clock, log }: PartsOptions): Parts {
  const render = async ({ id, title, refreshOn, isStored = false, body }: Panel): Promise<Html> => {
    // A read would wait until the database answers.
    if (isStored && isDatabaseLost()) return panel({ id, title, refreshOn, body: unavailable('The database does not answer.') });
    try {
      return panel({ id, title, refreshOn, body: await body() });
    } catch (error) {
      if (!isAbort(error)) log.warn({ error, part: id }, 'a part of the page could not be rendered');
      return panel({ id, title, refreshOn, body: unreadable(error) });
    }
  };

  function isDatabaseLost(): boolean {
    return views.database().lostAtMs !== undefined;
  }

  async function countUndelivered(): Promise<UndeliveredView> {
    if (isDatabaseLost()) return { failed: 0, unknown: 0 };
    try {
      return await views.undelivered();
    } catch (error) {
      if (!isAbort(error)) log.warn({ error, part: 'state' }, 'the failed deliveries could not be counted');
      return { failed: 0, unknown: 0 };
    }
  }

  return {
    state: async () => stateBar(views.ready(), { accounts: views.accounts(), undelivered: await countUndelivered() }),
    live: () =>
      render({
        id: 'live',
        title: 'Live now',
        refreshOn: ['live'],
        body: async () => liveCards((await views.live()).slice(0, SHOWN), clock.nowMs()),
      }),
    posts: () =>
      render({
        id: 'posts',
        title: 'Social timeline',
        refreshOn: ['posts'],
        body: async () => timeline((await views.posts()).slice(0, SHOWN)),
      }),
    messages: () =>
      render({
        id: 'messages',
        title: 'Discord',
        refreshOn: ['messages'],
        body: async () => channels(await views.messages(), { shown: SHOWN }),
      }),
    rules: ({ query: { search, page }, canAct }) =>
      render({
        id: 'rules',
        title: 'Rules',
        refreshOn: ['rules', 'decision', 'delivery'],
        isStored: true,
        body: async () => ruleList(await views.rulePage({ search, page, size: SHOWN }), { search, canAct }),
      }),
    deliveries: ({ canAct }) =>
      render({
        id: 'deliveries',
        title: 'Deliveries',
        refreshOn: ['delivery', 'rules'],
        isStored: true,
        body: async () => deliveryRows(await views.pageDeliveries(SHOWN), { canAct }),
      }),
  };
}

/** Whether a read stopped because Fanfare is shutting down. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function unreadable(error: unknown): Html {
  // Messages of platform errors are safe to show. Other errors may contain secrets.
  return unavailable(error instanceof PlatformError ? error.message : 'See the Fanfare log for the reason.');
}

function unavailable(reason: string): Html {
  return html`<div class="empty bad">
    <p>This part is unavailable right now.</p>
    <p class="muted" dir="auto">${reason}</p>
  </div>`;
}
