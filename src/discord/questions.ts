import {
  ComponentType,
  MessageFlags,
  ModalBuilder,
  Routes,
  TextInputBuilder,
  TextInputStyle,
  type APIMessage,
  type ButtonComponent,
  type ButtonInteraction,
  type Client,
  type Interaction,
  type Message,
  type ModalMessageModalSubmitInteraction,
} from 'discord.js';
import type { Answer } from '#src/chat/records.ts';
import { UserError } from '#src/errors.ts';
import { cutLabel } from '#src/operation/text/cut-label.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import type { Asker } from './asker.ts';
import { serverWords } from './language/server-words.ts';
import type { Words } from './language/words.ts';
import { escaped } from './text/foreign-text.ts';
import { whileThere } from './while-there.ts';

/** What somebody answered to a question. */
export type GivenAnswer = Required<Pick<Answer, 'choice' | 'by'>> & Pick<Answer, 'text'>;

/** The questions that wait for an answer. */
export interface Questions {
  /** The question that a button belongs to, and which one it is; undefined: the button is of something else. */
  read(customId: string): { readonly key: string; readonly place: number | 'own' } | undefined;
  /** Takes an answer; false: the question has one, waits for none any more, or never was. */
  onAnswer(key: string, answer: GivenAnswer): Promise<boolean>;
}

/** How to speak to who answers, and to all who see it. */
type Speech = Pick<Asker, 'words' | 'publicWords'>;

const TEXT = 'text';
const LONGEST_TEXT = 2000;
const LONGEST_MESSAGE = 2000;
/** Of a form. */
const LONGEST_TITLE = 45;
/** How much of an own text is shown where it was asked for. */
const SHOWN_TEXT = 300;

/** Answers an interaction that belongs to a question; whether it was one. */
export async function answerQuestion(interaction: Interaction, questions: Questions, asker: Speech): Promise<boolean> {
  if (!interaction.isButton() && !(interaction.isModalSubmit() && interaction.isFromMessage())) return false;
  const button = questions.read(interaction.customId);
  if (!button) return false;
  if (interaction.isButton() && button.place === 'own') await interaction.showModal(toModal(interaction, asker.words));
  else await take(interaction, button.key, { questions, asker });
  return true;
}

/** Says below a question that nobody answered it, and takes its buttons away. */
export async function endQuestion(client: Client<true>, message: string): Promise<void> {
  const [channelId = '', messageId = ''] = message.split('/');
  const route = Routes.channelMessage(channelId, messageId);
  const { content } = (await client.rest.get(route)) as APIMessage; // as Discord documents it
  const { answers } = await serverWords(client, channelId);
  await client.rest.patch(route, {
    body: { content: below(content, answers.nobodyInTime), components: [], allowed_mentions: { parse: [] } },
  });
}

function toModal({ customId, message }: ButtonInteraction, { answers }: Words): ModalBuilder {
  const field = new TextInputBuilder().setCustomId(TEXT).setStyle(TextInputStyle.Paragraph).setMinLength(1).setMaxLength(LONGEST_TEXT);
  return new ModalBuilder()
    .setCustomId(customId)
    .setTitle(cutLabel(firstChoice(message), LONGEST_TITLE))
    .addLabelComponents((label) => label.setLabel(answers.ownWords).setTextInputComponent(field));
}

async function take(
  interaction: ButtonInteraction | ModalMessageModalSubmitInteraction,
  key: string,
  { questions, asker }: { readonly questions: Questions; readonly asker: Speech },
): Promise<void> {
  const { answers } = asker.words;
  // At once: Discord waits three seconds, and the answer is to be written down first.
  await interaction.deferUpdate();
  const { user, message } = interaction;
  const text = interaction.isModalSubmit() ? interaction.fields.getTextInputValue(TEXT).trim() : undefined;
  const choice = interaction.isButton() ? labelOf(message, interaction.customId) : firstChoice(message);
  const by = {
    platform: 'discord',
    id: user.id,
    url: `https://discord.com/users/${user.id}`,
    handle: user.username,
    displayName: user.globalName ?? user.username,
  };
  if (text === '') throw new UserError(answers.nothingInIt);
  // Its key alone, below another message or in another server, answers nothing.
  const isAsked = buttonsOf(message).some(({ customId }) => customId === interaction.customId);
  if (!isAsked || !(await questions.onAnswer(key, { choice, by, ...(text !== undefined && { text }) }))) {
    await interaction.followUp({ content: answers.closed, flags: MessageFlags.Ephemeral });
    return;
  }
  const own = text === undefined ? '' : `: ${escaped(text, SHOWN_TEXT)}`;
  const said = asker.publicWords.answers.said(escaped(choice, 100), `<@${user.id}>`) + own;
  const isShown = await whileThere(() => interaction.editReply({ content: below(message.content, said), components: [] }));
  if (!isShown) await interaction.followUp({ content: answers.taken, flags: MessageFlags.Ephemeral });
}

/** Small print below a text, which gives way to it. */
function below(text: string, line: string): string {
  const print = `\n-# ${line}`;
  return shorten(text, LONGEST_MESSAGE - print.length) + print;
}

function firstChoice(message: Message): string {
  return buttonsOf(message)[0]?.label ?? '';
}

function labelOf(message: Message, wanted: string): string {
  return buttonsOf(message).find(({ customId }) => customId === wanted)?.label ?? '';
}

function buttonsOf({ components }: Message): readonly ButtonComponent[] {
  return components
    .flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
    .filter((component) => component.type === ComponentType.Button);
}
