import type { Sandbox } from '../../client/records.ts';
import { html } from '../html.ts';
import { useTexts } from '../language.ts';
import type { VNode } from '../preact.mjs';
import { SANDBOX_TEXTS } from '../texts/sandbox.ts';
import { ActionForm } from './action-form.ts';
import { Instant, now as current } from './time.ts';

const SPEEDS = [1, 5, 20];

interface ClockProps extends Pick<Sandbox, 'now' | 'speed' | 'movable'> {
  readonly isAdmin: boolean;
}

/** The clock that Fanfare and the sandbox share, with the buttons that move it. */
export function SandboxClock({ now, speed, movable, isAdmin }: ClockProps): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  const at = current.value === undefined ? now : new Date(current.value).toISOString();
  return html`<section class="panel padded" aria-labelledby="clock">
    <h2 id="clock">${t.clock}</h2>
    <p class="muted">${movable ? t.clockIntro : t.notMovable}</p>
    <dl class="facts">
      <div>
        <dt>${t.now}</dt>
        <dd><${Instant} at=${at} /></dd>
      </div>
      <div>
        <dt>${t.speed}</dt>
        <dd>${speed === 1 ? t.times1 : t.timesN(speed)}</dd>
      </div>
    </dl>
    ${movable && !isAdmin && html`<p class="muted">${t.clockOfAdmins}</p>`} ${movable && isAdmin && html`<${Buttons} speed=${speed} />`}
  </section>`;
}

function Buttons({ speed }: Pick<ClockProps, 'speed'>): VNode {
  const t = useTexts(SANDBOX_TEXTS);
  return html`<div class="plain">
    <div class="stream-actions" role="group" aria-label=${t.speed}>
      ${SPEEDS.map(
        (choice) =>
          html`<${ActionForm} key=${choice} operation="moveSandboxClock" input=${{ speed: choice }} done=${t.moved}>
            <button aria-pressed=${String(choice === speed)}>${choice === 1 ? t.times1 : t.timesN(choice)}</button>
          <//>`,
      )}
    </div>
    <div class="stream-actions" role="group" aria-label=${t.forward}>
      <span class="muted">${t.forward}:</span>
      ${Object.entries(t.jumps).map(
        ([ms, text]) =>
          html`<${ActionForm} key=${ms} operation="moveSandboxClock" input=${{ forwardMs: Number(ms) }} done=${t.moved}>
            <button>${text}</button>
          <//>`,
      )}
    </div>
  </div>`;
}
