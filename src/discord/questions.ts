import type { Actor } from '#src/admin/actions/actor.ts';
import type { ServerStore } from '#src/admin/servers/server-store.ts';
import {
  type APIMessage,
  type ButtonComponent,
  type ButtonInteraction,
  ComponentType,
  type Interaction,
  type Message,
  MessageFlags,
  ModalBuilder,
  type ModalMessageModalSubmitInteraction,
  type REST,
  Routes,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import type { Answer } from '#src/clients/chat/records.ts';
import { actorOf } from './actor.ts';
import type { DeliveryReason } from '#src/engine/delivery/reason.ts';
import type { Explained } from '#src/rules/reasons/reason.ts';
import { UserError } from '#src/errors.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import type { Caller } from './caller.ts';
import { NotAllowed } from './explain-error.ts';
import { serverTexts } from '#src/discord/language/server-texts.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { unlessDeleted } from './reply.ts';
import { numeral } from '#src/discord/text/format.ts';
import { escaped, roleNames } from '#src/discord/text/untrusted-text.ts';

/** An answer to a question of a rule. */
export interface SubmittedAnswer extends Pick<Answer, 'text'> {
  readonly choice: string;
  readonly by: Actor;
}

/** The open questions of rules. */
export interface Questions {
  /** The question and the position of a button; undefined if the button belongs to no question. */
  read(customId: string): { readonly key: string; readonly place: number | 'own' } | undefined;
  /** The roles that may answer a question; without them, members with the permission `operate`. Undefined: there is no such question. */
  find(key: string): Promise<{ readonly roles?: readonly string[] | undefined } | undefined>;
  /** Stores an answer; undefined if the question is closed or unknown. */
  onAnswer(key: string, answer: SubmittedAnswer): Promise<StoredAnswers | undefined>;
}

export interface StoredAnswer {
  readonly choice: string;
  /** The id of the person. */
  readonly person: string;
  /** The name of a person who is no user of Discord: no mention shows it. */
  readonly name?: string | undefined;
}

interface StoredAnswers {
  /** How many members have to answer. */
  readonly needed: number;
  /** The answers of different members: fewer than `needed` while the question is open. */
  readonly answers: readonly StoredAnswer[];
  /** Why steps behind the question were withdrawn; absent: they were not. */
  readonly remark?: Explained<DeliveryReason> | undefined;
}

/** The user who answers. */
type Answerer = Pick<Caller, 'texts' | 'publicTexts' | 'publicLocale' | 'may' | 'hasRole' | 'server' | 'id' | 'name'>;

const TEXT = 'text';
const LONGEST_TEXT = 2000;
const LONGEST_MESSAGE = 2000;
const LONGEST_PRINT = 1800;
/** Of more answers, only their numbers are shown. */
const MOST_PERSONS = 10;
const MAX_TITLE_LENGTH = 45;
/** How much of a typed answer the message shows. */
const SHOWN_TEXT = 300;

/** Handles an interaction that belongs to a question; false for other interactions. Throws {@link NotAllowed} if the user may not answer. */
export async function answerQuestion(interaction: Interaction, questions: Questions, caller: Answerer): Promise<boolean> {
  if (!interaction.isButton() && !(interaction.isModalSubmit() && interaction.isFromMessage())) return false;
  const button = questions.read(interaction.customId);
  if (!button) return false;
  const question = await questions.find(button.key);
  // A form may be open for longer than a role.
  if (question) requireAnswerer(question, caller);
  else if (!isBelow(interaction)) throw new UserError(caller.texts.answers.closed);
  if (question && interaction.isButton() && button.place === 'own') await interaction.showModal(toModal(interaction, caller.texts));
  else await take(interaction, button.key, { questions, isStored: question !== undefined, caller });
  return true;
}

function requireAnswerer(
  { roles }: NonNullable<Awaited<ReturnType<Questions['find']>>>,
  { texts: { answers }, may, hasRole }: Answerer,
): void {
  if (roles ? hasRole(roles) : may('answer')) return;
  throw new NotAllowed(roles ? answers.needsRole(roleNames(roles)) : answers.needsOperate);
}

/** An answer that a person gave elsewhere. */
export interface ShownAnswer {
  readonly choice: string;
  /** The name of the person. */
  readonly person: string;
}

/** How a question ended. Without enough answers, its time is over, or its rule was deleted. */
export interface QuestionEnd {
  readonly answers: readonly ShownAnswer[];
  readonly isAnswered: boolean;
  readonly isRuleDeleted: boolean;
  /** Whether messages behind it were withdrawn before the answer. */
  readonly isWithdrawn: boolean;
}

/** Adds the end to a question, and removes its buttons. `stored` has the languages of servers. */
export async function endQuestion(
  { rest, stored }: { readonly rest: REST; readonly stored: Pick<ServerStore, 'find'> | undefined },
  message: string,
  end: QuestionEnd,
): Promise<void> {
  const [channelId = '', messageId = ''] = message.split('/');
  const route = Routes.channelMessage(channelId, messageId);
  const { content } = (await rest.get(route)) as APIMessage; // as Discord documents it
  const line = endLine(end, await serverTexts(rest, channelId, stored));
  await rest.patch(route, {
    body: { content: below(content, line), components: [], allowed_mentions: { parse: [] } },
  });
}

function endLine({ answers: given, isAnswered, isRuleDeleted, isWithdrawn }: QuestionEnd, { answers }: Texts): string {
  if (isRuleDeleted) return answers.ruleDeleted;
  if (given.length === 0) return answers.nobodyInTime;
  const line = given.map(({ choice, person }) => answers.answered(escaped(choice, 100), escaped(person, 100))).join('; ');
  return isAnswered ? withRemark(line, isWithdrawn, answers) : answers.tooFewInTime(line);
}

/** Everyone who answered sees that their choice sends nothing. Only the answer to the person names who stopped the rule. */
function withRemark(line: string, isWithdrawn: boolean, { withdrawn }: Texts['answers']): string {
  return isWithdrawn ? `${line}\n-# ${withdrawn}` : line;
}

function toModal({ customId, message }: ButtonInteraction, { answers }: Texts): ModalBuilder {
  const field = new TextInputBuilder().setCustomId(TEXT).setStyle(TextInputStyle.Paragraph).setMinLength(1).setMaxLength(LONGEST_TEXT);
  return new ModalBuilder()
    .setCustomId(customId)
    .setTitle(cutLabel(firstChoice(message), MAX_TITLE_LENGTH))
    .addLabelComponents((label) => label.setLabel(answers.freeText).setTextInputComponent(field));
}

async function take(
  interaction: ButtonInteraction | ModalMessageModalSubmitInteraction,
  key: string,
  { questions, isStored, caller }: { readonly questions: Questions; readonly isStored: boolean; readonly caller: Answerer },
): Promise<void> {
  const { answers } = caller.texts;
  // Discord waits three seconds for a response, and storing the answer may take longer.
  await interaction.deferUpdate();
  const { user, message } = interaction;
  const text = interaction.isModalSubmit() ? interaction.fields.getTextInputValue(TEXT).trim() : undefined;
  const choice = interaction.isButton() ? labelOf(message, interaction.customId) : firstChoice(message);
  const displayName = user.globalName ?? user.username;
  // The question says who may answer it, so the person needs no other right.
  const by = actorOf(caller, { role: 'editor', displayName });
  if (text === '') throw new UserError(answers.nothingInIt);
  // A button with the same id in another message is not valid.
  const isAsked = isBelow(interaction);
  const stored = isAsked && isStored ? await questions.onAnswer(key, { choice, by, ...(text !== undefined && { text }) }) : undefined;
  if (!stored) {
    // The bot could not edit the question at its end if it did not see the channel. An interaction needs no permission.
    if (isAsked) await interaction.editReply({ components: [] }).catch(() => undefined);
    throw new UserError(answers.closed);
  }
  const { needed, answers: given } = stored;
  const why = stored.remark && caller.texts.reasons.delivered(stored.remark);
  const remark = why === undefined ? undefined : escaped(why, LONGEST_PRINT);
  if (given.length < needed) {
    const waits = answers.waits(given.length, needed);
    const content = remark === undefined ? waits : `${waits} ${answers.note(remark)}`;
    await interaction.followUp({ content, flags: MessageFlags.Ephemeral });
    return;
  }
  const typed = text === undefined ? '' : `: ${escaped(text, SHOWN_TEXT)}`;
  const line = withRemark(answersLine(given, caller) + typed, remark !== undefined, caller.publicTexts.answers);
  const isShown = await unlessDeleted(() => interaction.editReply({ content: below(message.content, line), components: [] }));
  if (!isShown) await interaction.followUp({ content: answers.taken, flags: MessageFlags.Ephemeral });
  if (remark !== undefined)
    await interaction.followUp({ content: `${answers.stored} ${answers.note(remark)}`, flags: MessageFlags.Ephemeral });
}

/** Who answered what; of many answers, how often each one was given. */
function answersLine(
  all: StoredAnswers['answers'],
  { publicTexts: { answers }, publicLocale: locale }: Pick<Answerer, 'publicTexts' | 'publicLocale'>,
): string {
  if (all.length <= MOST_PERSONS) return all.map((one) => answers.answered(escaped(one.choice, 100), shownPerson(one))).join('; ');
  const counts = [...Map.groupBy(all, ({ choice }) => choice)];
  return counts.map(([choice, { length }]) => answers.counted(escaped(choice, 100), numeral(length, { locale }))).join('; ');
}

function shownPerson({ person, name }: StoredAnswer): string {
  return name === undefined ? `<@${person}>` : escaped(name, 100);
}

/** Adds small print below a text. Both are shortened if needed. */
function below(text: string, line: string): string {
  const print = `\n-# ${shorten(line, LONGEST_PRINT)}`;
  return shorten(text, LONGEST_MESSAGE - print.length) + print;
}

/** Whether the message of an interaction has its button: custom ids are not secret. */
function isBelow({ message, customId }: ButtonInteraction | ModalMessageModalSubmitInteraction): boolean {
  return buttonsOf(message).some((one) => one.customId === customId);
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
