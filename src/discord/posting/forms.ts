import {
  ModalBuilder,
  type ModalSubmitInteraction,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  SlashCommandBuilder,
  type SlashCommandSubcommandBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import type { Caller } from '#src/discord/caller.ts';
import { en } from '#src/discord/language/en/index.ts';
import { localizations, localize } from '#src/discord/language/languages.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import type { PostDraft, SentPost } from '#src/engine/posting/posting.ts';
import { timeId } from './sent-posts.ts';

const LONGEST_OPTION = 6000;
const LONGEST_ALT = 1000;
const LONGEST_LINK = 500;
const LONGEST_WARNING = 200;

/** The subcommands and options of `/post`. */
export function postCommandForm(): RESTPostAPIChatInputApplicationCommandsJSONBody {
  return localize(new SlashCommandBuilder(), ({ posting }) => posting.command)
    .addSubcommand((subcommand) => withPost(localize(subcommand, ({ posting }) => posting.now)))
    .addSubcommand((subcommand) =>
      withPost(
        localize(subcommand, ({ posting }) => posting.schedule).addStringOption((option) =>
          localize(option, ({ posting }) => posting.options.time)
            .setRequired(true)
            .setMaxLength(100),
        ),
      ),
    )
    .addSubcommand((subcommand) => withPost(localize(subcommand, ({ posting }) => posting.queue)))
    .addSubcommand((subcommand) =>
      localize(subcommand, ({ posting }) => posting.cancel).addStringOption((option) =>
        localize(option, ({ posting }) => posting.options.post)
          .setRequired(true)
          .setAutocomplete(true),
      ),
    )
    .toJSON();
}

/** The options that all posts have. */
function withPost(subcommand: SlashCommandSubcommandBuilder): SlashCommandSubcommandBuilder {
  return subcommand
    .addStringOption((option) => localize(option, ({ posting }) => posting.options.text).setMaxLength(LONGEST_OPTION))
    .addStringOption((option) => localize(option, ({ posting }) => posting.options.accounts).setAutocomplete(true))
    .addAttachmentOption((option) => localize(option, ({ posting }) => posting.options.picture))
    .addStringOption((option) => localize(option, ({ posting }) => posting.options.alt).setMaxLength(LONGEST_ALT))
    .addStringOption((option) => localize(option, ({ posting }) => posting.options.link).setMaxLength(LONGEST_LINK))
    .addStringOption((option) => localize(option, ({ posting }) => posting.options.warning).setMaxLength(LONGEST_WARNING))
    .addStringOption((option) => localize(option, ({ posting }) => posting.options.long).addChoices(choice('thread'), choice('truncate')));
}

function choice(tooLong: 'thread' | 'truncate') {
  return { name: en.posting.long[tooLong], value: tooLong, name_localizations: localizations(({ posting }) => posting.long[tooLong]) };
}

/** The maximum length of a text in a form. */
const LONGEST_TEXT = 4000;
const TEXT = 'text';
const ALT = 'alt';
const WARNING = 'warning';
const TIME = 'time';

/** What the form for the text of a post edits. */
type FormContent = Pick<PostDraft, 'text' | 'warning' | 'offered' | 'picture'>;

/** The form for the text of a draft. */
export function draftForm(draft: PostDraft, texts: Texts): ModalBuilder {
  return textForm(`post:text:${draft.id}`, draft, texts);
}

/** The form for another text of a waiting post. Its custom id has the number of edits: a form of an older text changes nothing. */
export function editForm({ id, edits }: SentPost, content: FormContent, texts: Texts): ModalBuilder {
  return textForm(`post:revised:${id}:${edits}`, content, texts);
}

function textForm(customId: string, { text, warning, offered, picture }: FormContent, { posting: { form } }: Texts): ModalBuilder {
  const field = new TextInputBuilder().setCustomId(TEXT).setStyle(TextInputStyle.Paragraph).setMaxLength(LONGEST_TEXT);
  const attached = picture ?? offered;
  field.setRequired(attached === undefined);
  if (text !== '') field.setValue(text.slice(0, endInForm(text)));
  const modal = new ModalBuilder().setCustomId(customId).setTitle(form.title);
  modal.addLabelComponents((label) => label.setLabel(form.text).setTextInputComponent(field));
  if (warning !== undefined) {
    const value = new TextInputBuilder()
      .setCustomId(WARNING)
      .setStyle(TextInputStyle.Short)
      .setMaxLength(LONGEST_WARNING)
      .setRequired(false);
    modal.addLabelComponents((label) => label.setLabel(form.warning).setTextInputComponent(value.setValue(warning)));
  }
  if (!attached) return modal;
  const alt = new TextInputBuilder().setCustomId(ALT).setStyle(TextInputStyle.Paragraph).setMaxLength(LONGEST_ALT).setRequired(false);
  const altText = picture?.altText ?? offered?.altText;
  if (altText !== undefined) alt.setValue(altText);
  return modal.addLabelComponents((label) => label.setLabel(form.alt).setTextInputComponent(alt));
}

/** The end of the last word that fits into the form. */
function endInForm(text: string): number {
  if (text.length <= LONGEST_TEXT) return text.length;
  const space = text.slice(0, LONGEST_TEXT).search(/\s\S*$/u);
  return space > 0 ? space : LONGEST_TEXT;
}

/** A draft or a post with the values of its form. */
export function withForm<Content extends FormContent>(draft: Content, { fields }: ModalSubmitInteraction): Content {
  const { offered, picture } = draft;
  // The form does not contain the end of a long text.
  const text = fields.getTextInputValue(TEXT).trim() + draft.text.slice(endInForm(draft.text));
  const warning = draft.warning === undefined ? undefined : fields.getTextInputValue(WARNING).trim() || undefined;
  if (!offered && !picture) return { ...draft, text, warning };
  const altText = fields.getTextInputValue(ALT).trim() || undefined;
  return {
    ...draft,
    text,
    warning,
    ...(offered && { offered: { ...offered, altText } }),
    ...(picture && { picture: { ...picture, altText } }),
  };
}

/** The form for another time of a waiting post. Its custom id is `post:moved:<post>:<its time>`. */
export function timeForm(post: SentPost, { zone, texts }: Pick<Caller, 'zone' | 'texts'>): ModalBuilder {
  const { form, options, zoneHint } = texts.posting;
  const field = new TextInputBuilder()
    .setCustomId(TIME)
    .setStyle(TextInputStyle.Short)
    .setMaxLength(60)
    .setPlaceholder(options.time.description);
  return new ModalBuilder()
    .setCustomId(`post:moved:${post.id}:${timeId(post)}`)
    .setTitle(form.timeTitle)
    .addLabelComponents((label) => label.setLabel(form.time).setDescription(zoneHint(zone)).setTextInputComponent(field));
}

/** The typed time of a form. */
export function timeIn({ fields }: ModalSubmitInteraction): string {
  return fields.getTextInputValue(TIME);
}
