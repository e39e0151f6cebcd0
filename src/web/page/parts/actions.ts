import { html } from 'hono/html';
import type { Html } from '../inline/elements.ts';

/** What buttons act on: a rule or a delivery. */
interface Target {
  /** The address of the target in the API, which the name of an action follows. */
  readonly path: string;
  /** The name of the target in messages to the reader. */
  readonly name: string;
}

/** The target of a rule. */
export function ruleTarget(id: string): Target {
  return { path: `/api/rules/${encodeURIComponent(id)}/`, name: id };
}

/** The target of a delivery. */
export function deliveryTarget(id: string, name: string): Target {
  return { path: `/api/deliveries/${encodeURIComponent(id)}/`, name };
}

/** Buttons of actions. The script of the page sends their requests and knows their messages, so they are hidden without it. */
export function actionButtons({ path, name }: Target, actions: readonly (keyof typeof BUTTONS)[]): Html {
  return html`<p class="actions" data-path="${path}" data-name="${name}">${actions.map((action) => BUTTONS[action](name))}</p>`;
}

/** The buttons, with the name of their target for screen readers. */
const BUTTONS = {
  run: (name: string) => html`<button data-act="run">Run now<span class="unseen"> ${name}</span></button>`,
  pause: (name: string) => html`<button data-act="pause">Pause<span class="unseen"> ${name}</span></button>`,
  resume: (name: string) => html`<button data-act="resume">Resume<span class="unseen"> ${name}</span></button>`,
  resend: (name: string) => html`<button data-act="resend">Send again<span class="unseen"> ${name}</span></button>`,
  sent: (name: string) => html`<button data-act="resolve" data-resolution="sent">It was sent<span class="unseen"> ${name}</span></button>`,
  again: (name: string) => html`<button data-act="resolve" data-resolution="again">Send again<span class="unseen"> ${name}</span></button>`,
} as const;

/** A command that does the same as a button. People who have the button do not see it. */
export function instead(command: Html, canAct: boolean): Html {
  return canAct ? html`<span class="without-script">${command}</span>` : command;
}
