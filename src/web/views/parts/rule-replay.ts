import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import { useState, type VNode } from '../preact.mjs';
import { REPLAY_TEXTS } from '../texts/replay.ts';
import { ActionForm } from './action-form.ts';

const DEFAULT_PERIOD = '24h';

interface RuleReplayProps {
  readonly id: string;
  /** The YAML of the rule. */
  readonly source: string | undefined;
}

/** The form that replays a rule, or an edited text of it, on its recorded polls. */
export function RuleReplay({ id, source }: RuleReplayProps): VNode {
  const t = useTexts(REPLAY_TEXTS);
  // An edited text must not disappear with the rule.
  const [first] = useState(source);
  const text = source ?? first;
  return html`<div class="replay-form">
    <h3>${t.title}</h3>
    <p class="muted">${t.about} ${t.limits}</p>
    <${ActionForm}
      operation="replayRule"
      input=${{ rule: id }}
      done=${t.replayed}
      failed=${t.notReplayed}
      class="filters plain-form"
      keepsFields
      isRestored
    >
      <label>
        ${t.since}
        <select name="since">
          ${Object.entries(t.periods).map(([period, name]) => html`<option key=${period} value=${period} selected=${period === DEFAULT_PERIOD}>${name}</option>`)}
        </select>
      </label>
      <p class="submit">
        <button>${t.replay}<span class="unseen"> ${id}</span></button>
      </p>
      ${
        text !== undefined &&
        html`<details>
          <summary>${t.edit}</summary>
          ${text !== first && html`<p class="obstacle" role="status">${t.sourceChanged}</p>`}
          <label>
            ${t.source}
            <textarea
              name="source"
              class="source"
              rows="14"
              dir="ltr"
              spellcheck="false"
              autocapitalize="off"
              defaultValue=${text}
            ></textarea>
          </label>
        </details>`
      }
    <//>
  </div>`;
}
