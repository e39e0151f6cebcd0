import type { Token } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useEffect, useState, type VNode } from '../preact.mjs';
import { SETTINGS_TEXTS } from '../texts/settings.ts';
import { ActionForm } from './action-form.ts';
import { answered } from './answered.ts';
import { Badge } from './badge.ts';
import { now, TimeSince } from './time.ts';

const SCOPES = ['read', 'write', 'admin', 'metrics'] as const;

/** The tokens of the API. The text of a new token is shown once. */
export function TokensSection({ tokens }: { readonly tokens: readonly Token[] }): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  return html`<section class="panel" aria-labelledby="tokens">
    <div class="padded">
      <h2 id="tokens">${t.tokens}</h2>
      <p class="muted">${t.tokensAbout}</p>
      <${NewTokenText} />
    </div>
    ${tokens.length === 0 && html`<p class="empty muted">${t.noTokens}</p>`}
    <ul class="rows">
      ${tokens.map((token) => html`<${TokenRow} key=${token.id} token=${token} />`)}
    </ul>
    <details class="padded scripted">
      <summary>${t.createToken}</summary>
      <${ActionForm} operation="createToken" input=${{}} done=${t.tokenCreated} class="filters plain-form">
        <label>${t.tokenName} <input name="name" required maxlength="64" autocomplete="off" /></label>
        <label>
          ${t.scope}
          <select name="scope">
            ${SCOPES.map((scope) => html`<option key=${scope} value=${scope}>${scope}: ${t.scopes[scope]}</option>`)}
          </select>
        </label>
        <label>${t.expiresAt} <input type="datetime-local" max="9999-12-31T23:59" name="expiresAt" /></label>
        <p class="submit"><button>${t.create}</button></p>
      <//>
    </details>
  </section>`;
}

function NewTokenText(): VNode | undefined {
  const t = useTexts(SETTINGS_TEXTS);
  const { operation, answer } = answered.value ?? {};
  const [kept, keep] = useState<string | undefined>(undefined);
  const isNewest = operation === 'createToken';
  const text = isNewest ? (answer as { readonly text: string }).text : kept; // the answer to this operation
  // The next action must not remove a text that is shown nowhere else.
  useEffect(() => {
    keep(text);
    return undefined;
  }, [text]);
  if (text === undefined) return undefined;
  return html`<p class="obstacle" tabindex="-1" data-answer=${isNewest ? '' : undefined}>
    ${t.textOnce} <code class="secret">${text}</code>
  </p>`;
}

function TokenRow({ token: { id, name, scope, by, createdAt, expiresAt, lastUsedAt, revokedAt } }: { readonly token: Token }): VNode {
  const t = useTexts(SETTINGS_TEXTS);
  const isExpired = expiresAt !== undefined && now.value !== undefined && Date.parse(expiresAt) <= now.value;
  return html`<li class="entry">
    <div>
      <p>
        <strong><bdi>${name}</bdi></strong> <${Badge} word=${scope} tone="calm" title=${t.scopes[scope]} />${' '}
        ${revokedAt !== undefined && html`<${Badge} word=${t.revoked} tone="bad" />`}
        ${isExpired && html`<${Badge} word=${t.expired} tone="bad" />`}
      </p>
      <p class="meta">
        <span>${t.created} <${TimeSince} at=${createdAt} /> ${t.by} <bdi>${by}</bdi></span>
        <span>${lastUsedAt === undefined ? t.neverUsed : html`${t.lastUsed} <${TimeSince} at=${lastUsedAt} />`}</span>
        ${expiresAt !== undefined && !isExpired && html`<span>${t.expires} <${TimeSince} at=${expiresAt} /></span>`}
      </p>
    </div>
    ${
      revokedAt === undefined &&
      html`<${ActionForm} operation="revokeToken" input=${{ token: id }} done=${t.wasRevoked(name)} question=${t.revokeQuestion(name)}>
        <button>${t.revoke}<span class="unseen"> ${name}</span></button>
      <//>`
    }
  </li>`;
}
