import type { EventKind, UndeliveredView } from '#src/queries/records.ts';
import { html } from 'hono/html';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { Views } from '#src/queries/views.ts';
import type { PartName, Parts } from './document.ts';
import type { Html } from './inline/html.ts';
import { panel } from './panel.ts';
import { deliveryRows } from './parts/deliveries.ts';
import { liveCards } from './parts/live.ts';
import { channels } from './parts/messages.ts';
import { timeline } from './parts/posts.ts';
import { ruleCards } from './parts/rules.ts';
import { stateBar } from './parts/state.ts';

/** How many entries a part shows; the API has them all. */
const SHOWN = 30;

interface Panel {
  readonly id: PartName;
  readonly title: string;
  readonly refreshOn: readonly EventKind[];
  readonly body: () => Promise<Html>;
}

export interface PartsOptions {
  readonly views: Views;
  readonly clock: Clock;
  readonly log: Log;
}

/** How each part of the page is made. A part that cannot be read says so; the others are not touched. */
export function partsOf({ views, clock, log }: PartsOptions): Parts {
  const render = async ({ id, title, refreshOn, body }: Panel): Promise<Html> => {
    try {
      return panel({ id, title, refreshOn, body: await body() });
    } catch (error) {
      if (!isAbort(error)) log.warn({ error, part: id }, 'a part of the page could not be read');
      return panel({ id, title, refreshOn, body: unreadable(error) });
    }
  };

  async function countUndelivered(): Promise<UndeliveredView> {
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
    rules: () =>
      render({
        id: 'rules',
        title: 'Rules',
        refreshOn: ['rules', 'decision', 'delivery'],
        body: async () => ruleCards(await views.rules()),
      }),
    deliveries: () =>
      render({
        id: 'deliveries',
        title: 'Deliveries',
        refreshOn: ['delivery'],
        body: async () => deliveryRows(await views.latestDeliveries(SHOWN)),
      }),
  };
}

/** Whether reading was given up because Fanfare is being stopped. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function unreadable(error: unknown): Html {
  // The message of a platform's error is written to be shown; others may hold anything.
  const why = error instanceof PlatformError ? error.message : 'The log of Fanfare says why.';
  return html`<div class="empty bad">
    <p>This cannot be shown just now.</p>
    <p class="muted" dir="auto">${why}</p>
  </div>`;
}
