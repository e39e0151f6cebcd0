import type { EventKind } from '#src/admin/queries/records.ts';
import { html } from '../page/inline/html.ts';
import type { Clock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import type { Log } from '#src/log.ts';
import type { ApiQueries } from '#src/admin/queries/api-queries.ts';
import type { Html } from '../page/inline/elements.ts';
import type { Language } from '../language.ts';
import type { PartName, Parts } from './demo-document.ts';
import { panel } from './panel.ts';
import { liveCards } from './parts/live.ts';
import { channels } from './parts/messages.ts';
import { timeline } from './parts/posts.ts';
import { DEMO_TEXTS } from './texts.ts';

/** The number of entries in a part. The API has all entries. */
const SHOWN = 30;

interface Panel {
  readonly id: PartName;
  readonly language: Language;
  readonly refreshOn: readonly EventKind[];
  readonly body: () => Promise<Html>;
}

export interface PartsOptions {
  readonly apiQueries: Pick<ApiQueries, 'live' | 'posts' | 'messages'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Creates the renderers of all parts. If a part fails, it shows an error, and the other parts still render. */
export function partsOf({ apiQueries, clock, log }: PartsOptions): Parts {
  const render = async ({ id, language, refreshOn, body }: Panel): Promise<Html> => {
    const { title } = DEMO_TEXTS[language].panels[id];
    try {
      return panel({ id, title, refreshOn, body: await body() });
    } catch (error) {
      if (!isAbort(error)) log.warn({ error, part: id }, 'a part of the demonstration could not be rendered');
      return panel({ id, title, refreshOn, body: unreadable(error, language) });
    }
  };

  return {
    live: (language) =>
      render({
        id: 'live',
        language,
        refreshOn: ['live'],
        body: async () => liveCards((await apiQueries.live()).slice(0, SHOWN), { nowMs: clock.nowMs(), language }),
      }),
    posts: (language) =>
      render({
        id: 'posts',
        language,
        refreshOn: ['posts'],
        body: async () => timeline((await apiQueries.posts()).slice(0, SHOWN), language),
      }),
    messages: (language) =>
      render({
        id: 'messages',
        language,
        refreshOn: ['messages'],
        body: async () => channels(await apiQueries.messages(), { shown: SHOWN, language }),
      }),
  };
}

/** Whether a read stopped because Fanfare is shutting down. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function unreadable(error: unknown, language: Language): Html {
  const { unreadable: text, seeLog } = DEMO_TEXTS[language];
  // Messages of platform errors are safe to show. Other errors may contain secrets.
  const reason = error instanceof PlatformError ? html`<span lang="en">${error.message}</span>` : seeLog;
  return html`<div class="empty bad">
    <p>${text}</p>
    <p class="muted" dir="auto">${reason}</p>
  </div>`;
}
