import type { Status } from '../../client/records.ts';
import type { Tone } from '../../page/inline/tones.ts';
import { html } from '../html.ts';
import { useLanguage, useTexts } from '../language.ts';
import { useNumbers } from '../numbers.ts';
import type { VNode } from '../preact.mjs';
import { NOTIFICATIONS_TEXTS } from '../texts/notifications.ts';
import { Badge } from './badge.ts';
import { MessageText } from './message-text.ts';
import { TimeSince } from './time.ts';

/** The state of the connection over which a platform notifies about changes. */
export type Notifications = NonNullable<Status['accounts'][number]['notifications']>;

const TONES = { connected: 'good', connecting: 'busy', failed: 'doubt', stopped: 'calm', off: 'calm' } as const satisfies Record<
  Notifications['state'],
  Tone
>;

interface AccountNotificationsProps {
  /** Absent: no rule needed them yet. */
  readonly notifications: Notifications | undefined;
}

/** Whether a platform notifies about changes, what that costs, and when it last did. */
export function AccountNotifications({ notifications }: AccountNotificationsProps): VNode | undefined {
  const t = useTexts(NOTIFICATIONS_TEXTS);
  const { count } = useNumbers();
  // The problem is a text of the platform.
  const lang = useLanguage() === 'en' ? undefined : 'en';
  if (!notifications) return undefined;
  const { state, problem, subscriptions, cost, maxCost, onlyPolled = 0, lastAt } = notifications;
  return html`<p class="meta">
      <span>${t.notifications} <${Badge} tone=${TONES[state]} ...${t.states[state]} /></span>
      ${subscriptions !== undefined && html`<span>${t.subscriptions(count(subscriptions), subscriptions === 1)}</span>`}
      ${cost !== undefined && maxCost !== undefined && html`<span>${t.cost(count(cost), count(maxCost))}</span>`}
      ${onlyPolled > 0 && html`<span>${t.onlyPolled(count(onlyPolled), onlyPolled === 1)}</span>`}
      ${lastAt !== undefined && html`<span>${t.last} <${TimeSince} at=${lastAt} /></span>`}
      ${lastAt === undefined && state === 'connected' && html`<span>${t.noneYet}</span>`}
    </p>
    <${MessageText} class="obstacle" message=${problem === undefined ? undefined : { text: problem, lang }} />`;
}
