import { html } from 'hono/html';
import { ChoicesForm } from '../interactions/callback-form.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { components } from './components.ts';
import type { Html, Looker } from './looker.ts';

/** What an answer opens over the channel: a modal, or the choices above the line that somebody types in. */
export function overlay({ answer, options }: Interaction, looker: Looker): Html | '' {
  if (answer?.kind === 'modal') {
    const { title, components: fields } = answer.modal;
    return html`<div class="veil">
      <div class="modal">
        <div class="modal-head">${title}<span>✕</span></div>
        <div class="modal-note">This form will be submitted to <b>Fanfare</b>. Do not share passwords or other sensitive information.</div>
        <div class="modal-fields">${components(fields, looker)}</div>
        <div class="modal-foot"><span class="button secondary">Cancel</span><span class="button primary">Submit</span></div>
      </div>
    </div>`;
  }
  if (answer?.kind === 'choices') {
    const { choices } = ChoicesForm.parse({ choices: answer.choices });
    return html`<div class="suggestions">
      <small>OPTIONS MATCHING /${options.commandName}</small>
      ${choices.map(({ name }) => html`<div>${name}</div>`)}
      ${choices.length === 0 ? html`<div class="placeholder">No options match your search</div>` : ''}
    </div>`;
  }
  return '';
}
