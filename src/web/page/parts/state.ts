import type { AccountView, Readiness, UndeliveredView } from '#src/admin/queries/records.ts';
import { html } from 'hono/html';
import type { Html } from '../inline/elements.ts';

const STATE_WORDS: Readonly<Record<AccountView['state'], string>> = {
  connected: 'connected',
  connecting: 'connecting',
  failed: 'not connected',
};

/** The readiness of Fanfare and its accounts. */
export function stateBar(
  { ready, message }: Readiness,
  { accounts, undelivered }: { readonly accounts: readonly AccountView[]; readonly undelivered: UndeliveredView },
): Html {
  const problems = [message, ...undeliveredTexts(undelivered)].filter((text) => text !== undefined).join('; ');
  const text = ready ? (problems ? `Running, but ${problems}` : 'Running') : `Not ready${problems ? `: ${problems}` : ''}`;
  const sandbox = accounts.some((account) => account.sandbox);
  return html`<section class="state" id="state" data-refresh="accounts delivery" aria-label="State">
    <p class="readiness ${ready ? (problems ? 'doubt' : 'good') : 'bad'}" dir="auto">${text}</p>
    ${sandbox ? html`<p class="sandbox">Sandbox: simulated platforms; nothing leaves this machine</p>` : ''}
    <ul class="accounts" aria-label="Accounts">
      ${accounts.map(chip)}
    </ul>
  </section>`;
}

function undeliveredTexts({ failed, unknown }: UndeliveredView): readonly string[] {
  return [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'delivery' : 'deliveries'} failed in the last 24 hours`] : []),
    ...(unknown > 0 ? [`${unknown} ${unknown === 1 ? 'delivery waits' : 'deliveries wait'} for your decision`] : []),
  ];
}

function chip({ name, platform, role, sandbox, state, problem }: AccountView): Html {
  return html`<li
    class="account ${state}"
    data-key="account:${name}"
    title="${name} on ${platform}, ${sandbox ? 'simulated by the sandbox' : 'real'}: ${STATE_WORDS[state]}"
  >
    ${name === role ? '' : html`<span class="role">${role}</span>`}
    <bdi>${name}</bdi>${name === platform ? '' : html` <span class="muted">on ${platform}</span>`}
    <span class="unseen">: ${STATE_WORDS[state]}</span>
    ${problem ? html`<span class="problem-text">${problem}</span>` : ''}
  </li>`;
}
