import { html } from '../../html.ts';
import { useTexts } from '../../language.ts';
import type { VNode } from '../../preact.mjs';
import { DISCORD_TEXTS } from '../../texts/discord.ts';
import { TYPES } from './components.ts';
import { Entries } from './menu-form.ts';
import { RichText } from './rich-text.ts';
import { openForm, type Component } from './state.ts';

const PARAGRAPH = 2;

/** The form that the bot opened, as a dialog. */
export function BotForm(): VNode {
  const t = useTexts(DISCORD_TEXTS);
  const { id = '', form } = openForm.value ?? {};
  return html`<dialog id="bot-form" class="bot-form" aria-labelledby="bot-form-title">
    <form method="post" key=${id} data-form=${id}>
      <h2 id="bot-form-title" dir="auto">${form?.title ?? t.form}</h2>
      ${form?.components.map((component, index) => html`<${Field} key=${index} component=${component} />`)}
      <p class="hint" role="alert" data-problem></p>
      <p class="actions">
        <button>${t.submit}</button>
        <button type="button" data-close>${t.cancel}</button>
      </p>
    </form>
  </dialog>`;
}

function Field({ component, label, about }: { readonly component: Component; readonly label?: string; readonly about?: string }): VNode {
  const {
    type,
    inner,
    customId = '',
    style,
    value,
    placeholder,
    required,
    label: own = label ?? customId,
    description = about,
  } = component;
  if (type === TYPES.text) return html`<${RichText} text=${component.content ?? ''} />`;
  if (type === TYPES.row || type === TYPES.label)
    return html`<div>
      ${inner.map((each, index) => html`<${Field} key=${index} component=${each} label=${component.label} about=${component.description} />`)}
    </div>`;
  const explained = description && html`<small>${description}</small>`;
  if (type !== TYPES.textInput)
    return html`<div class="field">
      <span aria-hidden="true">${own}</span>${explained}<${Entries} component=${component} name=${customId} label=${own} />
    </div>`;
  const props = { name: customId, defaultValue: value ?? '', placeholder, required };
  return html`<label class="field">
    <span>${own}</span>${explained} ${style === PARAGRAPH ? html`<textarea rows="4" ...${props}></textarea>` : html`<input ...${props} />`}
  </label>`;
}
