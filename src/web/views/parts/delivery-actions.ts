import type { Delivery } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { DELIVERIES_TEXTS } from '../texts/deliveries.ts';
import type { Reader } from '../view.ts';

interface DeliveryActionsProps {
  readonly delivery: Pick<Delivery, 'id' | 'state' | 'item' | 'rule' | 'account'>;
  readonly reader: Reader;
}

/** The buttons that end a failed or an unknown delivery, for readers who may act. The script `actions.js` sends their requests. */
export function DeliveryActions({ delivery: { id, state, item, rule, account }, reader }: DeliveryActionsProps): VNode | undefined {
  const t = useTexts(DELIVERIES_TEXTS);
  if (!reader.canAct || (state !== 'failed' && state !== 'unknown')) return undefined;
  const name = `${item?.name ?? rule} (${account})`;
  const of = html`<span class="unseen"> ${name}</span>`;
  return html`<p class="actions" data-path="/api/deliveries/${encodeURIComponent(id)}/" data-name=${name}>
    ${state === 'failed' && html`<button data-act="resend">${t.resend}${of}</button>`}
    ${state === 'unknown' && html`<button data-act="resolve" data-resolution="sent">${t.wasSent}${of}</button>`}
    ${state === 'unknown' && html`<button data-act="resolve" data-resolution="again">${t.resend}${of}</button>`}
  </p>`;
}
