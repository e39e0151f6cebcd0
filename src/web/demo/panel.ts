import type { EventKind } from '#src/admin/queries/records.ts';
import { html } from '../page/inline/html.ts';
import type { Html } from '../page/inline/elements.ts';

export interface PanelOptions {
  /** The id in the page and in `/demo/<id>`. */
  readonly id: string;
  readonly title: string;
  /** The events after which the script loads the panel again. */
  readonly refreshOn: readonly EventKind[];
  readonly body: Html;
}

/** A part of the page with a title. */
export function panel({ id, title, refreshOn, body }: PanelOptions): Html {
  return html`<section class="panel" id="${id}" tabindex="-1" data-refresh="${refreshOn.join(' ')}" aria-labelledby="${id}-title">
    <h2 class="panel-title" id="${id}-title">${title}</h2>
    <div class="panel-body" tabindex="0" role="group" aria-labelledby="${id}-title">${body}</div>
  </section>`;
}

/** The content of an empty panel. */
export function empty([what, when]: readonly [what: string, when: string]): Html {
  return html`<div class="empty">
    <p>${what}</p>
    <p class="muted">${when}</p>
  </div>`;
}
