import { createApiClient } from '../../client/client.ts';
import type { ChannelSignIn } from '../../client/records.ts';
import { safeUrl } from '../../page/inline/safe-url.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useEffect, useState, type VNode } from '../preact.mjs';
import { ACCOUNTS_TEXTS } from '../texts/accounts.ts';
import { Confirmed } from './confirmed-sign-in.ts';
import { Instant } from './time.ts';

const ASK_MS = 2_000;

interface ChannelSignInBoxProps {
  readonly account: string;
  readonly first: ChannelSignIn;
}

/** A sign-in to a channel: its code as long as it waits for the person, then its result, which screen readers announce. */
export function ChannelSignInBox(props: ChannelSignInBoxProps): VNode {
  return html`<div role="status"><${Step} ...${props} /></div>`;
}

function Step({ account, first }: ChannelSignInBoxProps): VNode {
  const t = useTexts(ACCOUNTS_TEXTS);
  const [current, setCurrent] = useState(first);
  const isWaiting = current.state === 'waiting';
  useEffect(() => (isWaiting ? askUntilEnd(account, setCurrent) : undefined), [account, isWaiting]);
  const { state, url, code, expiresAt, scopes, who, missing = [], problem } = current;
  if (state === 'done' || state === 'failed') return html`<${Confirmed} account=${account} answer=${{ who, problem, missing }} />`;
  return html`<section class="panel padded" aria-labelledby="channel-sign-in" tabindex="-1" data-answer>
    <h2 id="channel-sign-in">${t.channelStep} <bdi>${account}</bdi></h2>
    ${
      isWaiting
        ? html`<p>
              ${t.code}: <strong><code>${code}</code></strong>
            </p>
            <p><a href=${safeUrl(url)} target="_blank" rel="noopener noreferrer">${t.openCode}</a></p>
            <ul class="plain">
              ${scopes.map(({ name, why }) => html`<li key=${name} class="muted"><code>${name}</code> <span lang="en">${why}</span></li>`)}
            </ul>
            <p>${t.codeWaits} <${Instant} at=${expiresAt} />.</p>`
        : html`<p class="obstacle">${t.codeExpired}</p>`
    }
  </section>`;
}

/** Asks for the state of a sign-in until it is over. Returns the function that stops it. */
function askUntilEnd(account: string, onAnswer: (answer: ChannelSignIn) => void): () => void {
  const client = createApiClient();
  const timer = setInterval(() => {
    // Without an answer, the next question follows.
    client.call('getChannelSignIn', { account }).then(onAnswer, () => undefined);
  }, ASK_MS);
  return () => clearInterval(timer);
}
