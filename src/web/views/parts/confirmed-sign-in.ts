import type { ConfirmedSignIn } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { ACCOUNTS_TEXTS } from '../texts/accounts.ts';

/** Who is signed in, with what the person did not allow. */
export function Confirmed({
  account,
  answer: { who, problem, missing },
}: {
  readonly account: string;
  readonly answer: ConfirmedSignIn;
}): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  return html`<section class="panel padded" aria-label=${t.result} tabindex="-1" data-answer>
    ${
      who !== undefined &&
      html`<p>
        <strong><bdi>${account}</bdi>:</strong> <bdi>${who}</bdi>
      </p>`
    }
    ${problem !== undefined && html`<p class="obstacle" dir="auto" lang="en">${problem}</p>`}
    ${missing.length > 0 && html`<p>${t.missing}</p>`}
    <ul class="plain">
      ${missing.map(({ name, why }) => html`<li key=${name} class="muted"><code>${name}</code> <span lang="en">${why}</span></li>`)}
    </ul>
  </section>`;
}
