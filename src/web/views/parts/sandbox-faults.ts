import type { Sandbox } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { SANDBOX_TEXTS } from '../texts/sandbox.ts';
import { ActionForm } from './action-form.ts';

type Fault = Sandbox['faults'][number];

interface FaultsProps extends Pick<Sandbox, 'faults' | 'platforms'> {
  readonly canAct: boolean;
}

/** The open faults of the simulated platforms, and the form that breaks one. */
export function SandboxFaults({ faults, platforms, canAct }: FaultsProps): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  const broken = [...new Set(faults.map(({ platform }) => platform))];
  return html`<section class="panel padded" aria-labelledby="faults">
    <h2 id="faults">${t.faults}</h2>
    <p class="muted">${t.faultsIntro}</p>
    ${canAct && html`<${FaultForm} platforms=${platforms} />`} ${faults.length === 0 && html`<p class="muted">${t.noFaults}</p>`}
    <ul class="plain open-faults">
      ${faults.map((fault, index) => html`<li key=${`${index} ${fault.platform} ${fault.kind}`}><${FaultText} fault=${fault} /></li>`)}
    </ul>
    ${
      canAct &&
      broken.length > 0 &&
      html`<div class="stream-actions">
        ${broken.map(
          (platform) =>
            html`<${ActionForm} key=${platform} operation="endSandboxFaults" input=${{ platform }} done=${t.faultsEnded}>
              <button>${t.endFaults(platform)}</button>
            <//>`,
        )}
        ${
          broken.length > 1 &&
          html`<${ActionForm} key="all" operation="endSandboxFaults" input=${{}} done=${t.faultsEnded}>
            <button>${t.endAll}</button>
          <//>`
        }
      </div>`
    }
  </section>`;
}

function FaultForm({ platforms }: Pick<FaultsProps, 'platforms'>): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  return html`<${ActionForm} operation="addSandboxFault" input=${{}} done=${t.broken} class="filters plain-form">
    <label>
      ${t.platform}
      <select name="platform">
        ${platforms.map((name) => html`<option key=${name} value=${name} selected=${name === 'discord'}>${name}</option>`)}
      </select>
    </label>
    <label>
      ${t.fault}
      <select name="kind">
        ${Object.entries(t.kinds).map(([kind, text]) => html`<option key=${kind} value=${kind}>${text}</option>`)}
      </select>
    </label>
    <label>
      ${t.times}
      <input type="number" name="times" min="1" max="10000" defaultValue="3" placeholder=${t.timesHint} />
    </label>
    <label>${t.ms} <input type="number" name="ms" min="0" max="3600000" /></label>
    <label>${t.route} <input name="route" maxlength="200" placeholder="/messages" /></label>
    <p class="submit"><button>${t.breakIt}</button></p>
  <//>`;
}

function FaultText({ fault: { platform, kind, method, route, status, ms, times } }: { readonly fault: Fault }): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  return html`<p>
    <strong><bdi>${platform}</bdi></strong
    >: ${t.kinds[kind]}${' '} ${status !== undefined && html`<code>${status}</code>`} ${ms !== undefined && `${ms} ms`} ${method}
    ${route !== undefined && html`<span>${t.onPath} <code>${route}</code></span>`}
    <span class="muted"> ${times === undefined ? t.endless : t.left(times)}</span>
  </p>`;
}
