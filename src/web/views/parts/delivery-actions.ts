import type { Delivery } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { RESULT_TEXTS } from '../texts/results.ts';
import { DELIVERIES_TEXTS } from '../texts/deliveries.ts';
import type { Reader } from '../view.ts';
import { ActionForm } from './action-form.ts';
import { Choices } from './choices.ts';

interface DeliveryActionsProps {
  readonly delivery: Pick<Delivery, 'id' | 'state' | 'item' | 'rule' | 'account' | 'choices' | 'isOver'>;
  readonly reader: Reader;
}

/** The buttons that end a failed or an unknown delivery or answer a question, for readers who may act. */
export function DeliveryActions({
  delivery: { id, state, item, rule, account, choices = [], isOver },
  reader,
}: DeliveryActionsProps): VNode | undefined {
  const t = useTexts(DELIVERIES_TEXTS);
  const results = useTexts(RESULT_TEXTS);
  const over = isOver === true && html`<p class="obstacle">${t.isOver}</p>`;
  if (state === 'asked')
    return html`<div>${over} ${reader.canAct && html`<${Choices} delivery=${id} name=${item?.name ?? rule} choices=${choices} />`}</div>`;
  if (!reader.canAct || (state !== 'failed' && state !== 'unknown')) return undefined;
  const name = `${item?.name ?? rule} (${account})`;
  const of = html`<span class="unseen"> ${name}</span>`;
  if (state === 'failed')
    return html`<div class="actions">
      ${over}
      <${ActionForm} operation="resendDelivery" input=${{ delivery: id }} done=${results.sentAgain(name)}
        ><button>${t.resend}${of}</button><//
      >
    </div>`;
  // A message that was sent cannot be taken back.
  const question = results.againQuestion(name);
  return html`<div class="actions">
    ${over}
    <${ActionForm} operation="resolveDelivery" input=${{ delivery: id, resolution: 'sent' }} done=${results.countsAsSent(name)}>
      <button>${t.wasSent}${of}</button>
    <//>
    <${ActionForm}
      operation="resolveDelivery"
      input=${{ delivery: id, resolution: 'again' }}
      done=${results.sentAgain(name)}
      question=${question}
    >
      <button>${t.resend}${of}</button>
    <//>
  </div>`;
}
