import { html } from 'hono/html';
import { ROUTES } from '#src/web/client/operations.ts';
import type { Html } from '../inline/elements.ts';

/** An action of the HTTP API with its input. */
interface ActionButton {
  readonly action: 'pauseRule' | 'resumeRule' | 'runRule' | 'resendDelivery' | 'resolveDelivery' | 'answerDelivery';
  /** The id of the rule or the delivery. */
  readonly target: string;
  readonly label: string;
  /** What the button acts on, for screen readers. */
  readonly about: string;
  /** Input of the action beside its target. */
  readonly input?: Readonly<Record<string, string>>;
  /** What the page says once the action is done. */
  readonly done: string;
  /** A question that the person confirms first, if the action cannot be undone. */
  readonly confirm?: string;
}

/** Buttons of actions. The script of the page sends their requests, so they are hidden without it. */
export function actionButtons(buttons: readonly ActionButton[]): Html | string {
  if (buttons.length === 0) return '';
  return html`<p class="actions">${buttons.map(button)}</p>`;
}

function button({ action, target, label, about, input = {}, done, confirm }: ActionButton): Html {
  const [, path] = ROUTES[action];
  return html`<button
    type="button"
    data-path="${path.replace(/\{\w+\}/u, encodeURIComponent(target))}"
    data-input="${JSON.stringify(input)}"
    data-done="${done}"
    data-confirm="${confirm ?? ''}"
  >
    ${label}<span class="unseen"> ${about}</span>
  </button>`;
}

/** A command that does the same as a button. People who have the button do not see it. */
export function instead(command: Html, canAct: boolean): Html {
  return canAct ? html`<span class="without-script">${command}</span>` : command;
}
