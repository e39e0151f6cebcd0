import { ModalBuilder, TextInputBuilder, TextInputStyle, type ModalSubmitInteraction } from 'discord.js';
import type { Words } from '../language/words.ts';
import { LONGEST_ALT } from './command-form.ts';
import type { PostDraft } from './posting.ts';

/** The longest text that a form takes. */
const LONGEST_TEXT = 4000;
const TEXT = 'text';
const ALT = 'alt';
const TIME = 'time';

/** The form in which a post is written; sent, it comes back as `post:text:<draft>`. */
export function textForm({ id, text, offered, picture }: PostDraft, { posting: { form } }: Words): ModalBuilder {
  const field = new TextInputBuilder().setCustomId(TEXT).setStyle(TextInputStyle.Paragraph).setMaxLength(LONGEST_TEXT);
  field.setRequired(offered === undefined);
  if (text !== '') field.setValue(text.slice(0, endInForm(text)));
  const modal = new ModalBuilder().setCustomId(`post:text:${id}`).setTitle(form.title);
  modal.addLabelComponents((label) => label.setLabel(form.text).setTextInputComponent(field));
  if (!offered) return modal;
  const alt = new TextInputBuilder().setCustomId(ALT).setStyle(TextInputStyle.Paragraph).setMaxLength(LONGEST_ALT).setRequired(false);
  const said = picture?.altText ?? offered.altText;
  if (said !== undefined) alt.setValue(said);
  return modal.addLabelComponents((label) => label.setLabel(form.alt).setTextInputComponent(alt));
}

/** Where a text ends that is shown in the form: where the last word does for which there is room. */
function endInForm(text: string): number {
  if (text.length <= LONGEST_TEXT) return text.length;
  const space = text.slice(0, LONGEST_TEXT).search(/\s\S*$/u);
  return space > 0 ? space : LONGEST_TEXT;
}

/** A draft with what was written into its form. */
export function withForm(draft: PostDraft, { fields }: ModalSubmitInteraction): PostDraft {
  const { offered, picture } = draft;
  // What the form had no room for stays as it was.
  const text = fields.getTextInputValue(TEXT).trim() + draft.text.slice(endInForm(draft.text));
  if (!offered) return { ...draft, text };
  const altText = fields.getTextInputValue(ALT).trim() || undefined;
  return { ...draft, text, offered: { ...offered, altText }, ...(picture && { picture: { ...picture, altText } }) };
}

/** The form in which a post that waits is given another time; sent, it comes back as `post:moved:<post>`. */
export function timeForm(id: string, { posting: { form, options } }: Words): ModalBuilder {
  const field = new TextInputBuilder()
    .setCustomId(TIME)
    .setStyle(TextInputStyle.Short)
    .setMaxLength(60)
    .setPlaceholder(options.time.description);
  return new ModalBuilder()
    .setCustomId(`post:moved:${id}`)
    .setTitle(form.timeTitle)
    .addLabelComponents((label) => label.setLabel(form.time).setTextInputComponent(field));
}

/** The time that was written into its form. */
export function timeIn({ fields }: ModalSubmitInteraction): string {
  return fields.getTextInputValue(TIME);
}
